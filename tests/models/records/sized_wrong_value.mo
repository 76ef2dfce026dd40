// expect error I103 line 7 with field c is Real[3] and Real[2]
record Vector
  parameter Integer n = 2;
  Real c[n];
end Vector;
model Wrong
  Vector v(n = 3) = Vector(n = 2, c = {1, 2});
end Wrong;
