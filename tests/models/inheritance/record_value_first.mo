// expect a(0) = 33 ± 1e-12
// expect b(0) = 5 ± 1e-12
// The value of the record comes from farther outside than that of its field.
record R
  parameter Real a = 1;
end R;
model A
  parameter R x(a = 33);
  parameter R y(a = 5);
end A;
model M
  A one(y = one.x);
  A two;
  Real a = one.y.a;
  Real b = two.y.a;
end M;
