// expect a(0) = 2 ± 1e-12
// expect b(0) = 7 ± 1e-12
model A
  parameter Real x = 1;
end A;
model C
  replaceable model X = A constrainedby A(x = 2);
  X a;
end C;
model M
  C c1(redeclare model X = A);
  C c2(redeclare model X = A(x = 7));
  Real a = c1.a.x;
  Real b = c2.a.x;
end M;
