// solvers auto cvode radau
// expect x(0.5) = 0 ± 1e-6
// expect x(3) = 1 ± 1e-6
// expect y(3) = 1 - exp(-2) ± 1e-5
// expect limited(3) = 0.25 ± 1e-6
// expect z(3) = (1 - exp(-2))/4 ± 1e-5
// expect w(3) = 2 ± 1e-6
// Lags with time constants near the resolution of time, as in models that guard a division by a
// small number. Their transients take place at the instant of the event, and at the start.
model InstantLag
  parameter Real T = 2.2e-16;
  Real u = if time < 1 then 0 else 1;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Real lag(start = 0, fixed = true), limited = if lag > 0.25 then 0.25 else lag;
  Real w(start = 5, fixed = true);
equation
  T*der(x) = u - x;
  T*der(lag) = x - lag;
  der(y) = x - y;
  der(z) = limited - z;
  1e-18*der(w) = 2 - w^3/4;
  annotation(experiment(StopTime = 3));
end InstantLag;
