// expect s(0) = 7 ± 1e-12
model A
  Real x = 1;
end A;
model B
  Real x = 3;
  Real y = 4;
end B;
model C
  replaceable A a;
end C;
model M
  C c(redeclare B a);
  Real s = c.a.x + c.a.y;
end M;
