// expect x(0) = 3 ± 1e-12
model A
  Real v(min = 0);
end A;
model B
  Real v(min = 0, max = 10);
end B;
model M
  extends A(v(max = 10));
  extends B;
  Real x = v;
equation
  v = 3;
end M;
