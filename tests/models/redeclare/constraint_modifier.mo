// expect a(0) = 2 ± 1e-12
// expect b(0) = 2 ± 1e-12
// expect c(0) = 9 ± 1e-12
// Modifiers of a constraining clause hold for the declaration and its replacements, which can give
// others.
model A
  Real x = 1;
end A;
model B
  Real x = 5;
  Real y = 6;
end B;
model C
  replaceable A a constrainedby A(x = 2);
end C;
model M
  C c1;
  C c2(redeclare B a);
  C c3(redeclare B a(x = 9));
  Real a = c1.a.x;
  Real b = c2.a.x;
  Real c = c3.a.x;
end M;
