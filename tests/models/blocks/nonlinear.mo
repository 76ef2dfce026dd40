// A nonlinear block of two unknowns, and one whose residual cancels large terms.
// expect a(1.0) = 2 ± 1e-8
// expect b(1.0) = 1 ± 1e-8
// expect w(1.0) = 1e-6 ± 1e-9
// options --stop-time 1
model nonlinear
  Real a(start = 3), b(start = 0.5), w(start = 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  a^2 + b^2 = 4 + x;
  a*b = 1 + x;
  (1e5 + w)^3 = 1e15 + 3e4*x;
end nonlinear;
