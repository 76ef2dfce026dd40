// The delay time varies; a jump at 0.2 arrives where time - T(time) = 0.2.
// expect y(2.0) = sin(2.0 - 0.5 - 0.3*sin(2.0)) ± 1e-7
// expect y(5.0) = sin(5.0 - 0.5 - 0.3*sin(5.0)) ± 1e-7
// expect s(0.9) = 0
// expect s(1.0) = 1
// expect event 0.94275375
// solvers cvode dopri5 rk4 euler
// options --stop-time 5 --tolerance 1e-8
model Variable
  Real T, y, s;
  Real x(start = 0, fixed = true);
equation
  der(x) = cos(time);
  T = 0.5 + 0.3*sin(time);
  y = delay(sin(time), T, 1);
  s = delay(if time > 0.2 then 1.0 else 0.0, T, 1);
end Variable;
