// expect s(0) = 6 ± 1e-12
// Dimensions can be redeclared also where the type cannot (section 7.3.3).
model A
  Real x[:] = ones(size(x, 1));
end A;
model M
  A a(redeclare Real x[6]);
  Real s = sum(a.x);
end M;
