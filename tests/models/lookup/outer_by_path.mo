// expect y(0) = 5 ± 1e-12
// expect z(0) = 5 ± 1e-12
model A
  outer Real p;
end A;
model B
  inner Real p = 5;
  A a;
end B;
model M
  Real before = 1;
  B b;
  Real y = b.a.p;
  Real z = b.p;
end M;
