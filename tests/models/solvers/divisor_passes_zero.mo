// Divisors that pass zero without a pole hardly delay a run: sin(x)/x is smooth, and the integral
// over [-1, 1.5] is Si(1) + Si(1.5) = 0.9460830704 + 1.3246835312. At x = 0 itself it has no value.
// solvers auto cvode ida radau esdirk dopri5 rkf45
// expect y(2.5) = 2.2707666016 ± 1e-5
// expect z(2.5) = 2.2707666016 ± 1e-5
model DivisorPassesZero
  Real x(start = -1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = sin(x)/x;
  der(z) = noEvent(if abs(x) > 1e-9 then sin(x)/x else 1);
  annotation(experiment(StopTime = 2.5, Interval = 0.07)); // no row at x = 0
end DivisorPassesZero;
