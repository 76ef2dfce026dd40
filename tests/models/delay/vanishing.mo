// The delay time goes to zero and grows again: the value is the present one there.
// expect y(0.5) = 1 - 0.25 ± 1e-5
// expect y(1.0) = 1 + 0.5*0 ± 1e-5
// expect y(2.0) = 1 + 2 - 0.5 ± 1e-5
// options --stop-time 2 --tolerance 1e-8
model Vanishing
  Real T, y, x(start = 1, fixed = true);
equation
  T = 0.5*abs(time - 1);
  der(x) = if time < 1 then -delay(1.0, 0) + 1 + 0*x else 1;
  y = if time < 1 then 1 - T else delay(x, T, 2) + time - 1;
end Vanishing;
