// expect y(1) = 20 ± 1e-9
// expect z[1](1) = 4 ± 1e-9
// expect z[2](1) = 8 ± 1e-9
// expect u(1) = 3 ± 1e-9
record Vector
  parameter Integer n = 2;
  Real c[n];
end Vector;
record Holder
  Vector a(n = 2);
  Vector b(n = 3);
  parameter Integer k = 2;
  Real m[k, a.n];
end Holder;
function total
  input Vector a;
  output Real y = sum(a.c);
algorithm
end total;
function all_of
  input Holder x;
  output Real y;
algorithm
  y := total(x.a) + total(x.b) + sum(x.m);
end all_of;
model Nested
  Holder h(b(c = {1, 2, 3}), a(c = {1, 2*time}), k = 1, m = [5, 6]);
  Real y = all_of(h);
  Vector v[2](each n = 3, c = {{1, time, 2}, {3, 4, time}});
  Real z[2] = total(v);
  Vector w[2](n = {1, 2}, c(each start = 0));
  Real u = total(w[1]) + total(w[2]);
equation
  w[1].c = {time};
  w[2].c = {1, time};
end Nested;
