// Two relays lead the state in a spiral to the intersection of their surfaces. It gets there after
// finite time and infinitely many events. Neither surface can be held alone. From time 4 on a push
// leads away from both.
// The quadrants are passed along straight lines: the time from (3, 3) to the origin is 3.
// expect warning R019 with x1 > 0
// expect warning R019 with x2 > 0
// expect x1(1) = 0 ± 1e-6
// expect x2(1) = 4 ± 1e-6
// expect x1(3.5) = 0 ± 1e-7
// expect x2(3.5) = 0 ± 1e-7
// expect u1(3.5) = 0 ± 1e-5
// expect u2(3.5) = 0 ± 1e-5
// expect x1(5) = 2 ± 1e-6
// expect x2(5) = 1 ± 1e-6
// solvers auto cvode ida esdirk radau dopri5 rkf45
// options --stop-time 5 --tolerance 1e-8
model Spiral
  Real x1(start = 3, fixed = true), x2(start = 3, fixed = true), u1, u2;
equation
  u1 = if x1 > 0 then 1 else -1;
  u2 = if x2 > 0 then 1 else -1;
  der(x1) = -u1 - 2*u2 + (if time > 4 then 5 else 0);
  der(x2) = 2*u1 - u2;
end Spiral;
