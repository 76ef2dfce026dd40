// expect error I102 line 11 with field c of record Vector has size 2, its declaration says 3
record Vector
  parameter Integer n = 2;
  Real c[n];
end Vector;
function total
  input Vector a;
  output Real y = sum(a.c);
algorithm
end total;
model Wrong Real y = total(Vector(n = 3, c = {1, 2})); end Wrong;
