// Slides on x = 0, then on the intersection of x = 0 and y = 0.
// On x = 0: u1 = -u2/4 = 1/4, so y' = -1 - 0.3/4. Before: y' = -1 + 0.3 until x = 0 at 0.2.
// expect warning R019 line 17
// expect warning R019 line 18
// expect x(0.5) = 0 ± 1e-8
// expect y(0.5) = 0.8 - 0.7*0.2 - 1.075*0.3 ± 1e-6
// expect x(2) = 0 ± 1e-8
// expect y(2) = 0 ± 1e-8
// expect u1(2) = 0 ± 1e-7
// expect w(3) = 0.4 + 0.75*0.66/1.075 + 2.8 - 0.66/1.075 ± 1e-5
// solvers high rk4 inline-radau inline-bdf2
// options --stop-time 3 --tolerance 1e-8
model TwoSurfaces
  Real x(start = 0.5, fixed = true), y(start = 0.8, fixed = true), w(start = 0, fixed = true), u1,
    u2;
equation
  u1 = if x > 0 then -1 else 1;
  u2 = if y > 0 then -1 else 1;
  der(x) = 2*u1 + 0.5*u2;
  der(y) = u2 - 0.3*u1;
  der(w) = u1*u2 + 1;
end TwoSurfaces;
