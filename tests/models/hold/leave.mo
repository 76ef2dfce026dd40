// x' = time -+ 1: reaches x = 0 at 1 - sqrt(0.5), slides while time < 1 with u = -time, leaves as
// (t - 1)^2/2.
// expect warning R019
// expect event 1 - sqrt(0.5)
// expect x(0.6) = 0 ± 1e-9
// expect u(0.6) = -0.6 ± 1e-7
// expect x(2) = 0.5 ± 1e-6
// expect x(3) = 2 ± 1e-6
// expect high(2) = 1
// solvers high rk4 inline-radau inline-bdf2
// options --stop-time 3 --tolerance 1e-8 --intervals 600
model Leave
  Real x(start = 0.25, fixed = true), u;
  Boolean high;
equation
  high = x > 0;
  u = if high then -1 else 1;
  der(x) = u + time;
end Leave;
