// A relay in feedback through a delay T: a triangle wave of amplitude T and period 4*T, for ever.
// expect event 0.7
// expect event 1.1
// expect x(0.7) = -0.2 ± 1e-6
// expect x(1.1) = 0.2 ± 1e-6
// expect x(9.9) = 0.2 ± 1e-6
// expect min x >= -0.2000001
// solvers cvode dopri5 rk4 euler
// options --stop-time 10 --tolerance 1e-8
model Relay
  parameter Real T = 0.2;
  Real x(start = 0.5, fixed = true);
equation
  der(x) = if delay(x, T) > 0 then -1 else 1;
end Relay;
