// The motion slides from the start on, when no step has shown the time scale yet. The relay is on
// for two thirds of the time, so that its mean is zero.
// expect warning R019 with x > 0
// expect x(1) = 0 ± 1e-9
// expect u(1) = 0 ± 1e-9
// expect y(1) = 0.5 ± 1e-6
// solvers auto cvode ida esdirk radau dopri5 rkf45
model FromStart
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real u = if x > 0 then -1 else 2;
equation
  der(x) = u;
  der(y) = u + time;
end FromStart;
