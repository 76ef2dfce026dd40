// sample takes the left limit, so a value may be held and sampled again at the same tick (section
// 16.5.1).
// expect y(0.05) = 1 ± 1e-9
// expect y(0.15) = 2 ± 1e-9
// expect y(0.95) = 10 ± 1e-9
// options --stop-time 1
model Feedthrough
  Real y, u;
equation
  y = sample(u, Clock(0.1)) + 1;
  u = hold(y);
end Feedthrough;
