// Slides on x = 0 from 0.5 on; the control is that of Filippov, here -p, and all values that depend
// on it are mixed alike.
// expect warning R019 line 15
// expect x(0.25) = 0.25 ± 1e-6
// expect x(2) = 0 ± 1e-9
// expect u(1.5) = 0 ± 1e-9
// expect y(1.5) = 0 ± 1e-9
// solvers auto high rk4 euler inline-euler inline-bdf2 inline-radau
// options --stop-time 2
model Slide
  Real x(start = 0.5, fixed = true);
  Real u, y;
equation
  y = 3*u;
  u = if x > 0 then -1 else 1;
  der(x) = u;
end Slide;
