// A limiter under noEvent with positive feedback: the branch of the solution ends, and it jumps.
// expect y(1) = 1.5 ± 1e-6
// expect y(3.5) = 0.25 ± 1e-5
// expect y(3.7) = -3.85 ± 1e-5
// expect warning R017
// solvers high
// options --stop-time 4
model HysteresisWithoutEvents
  Real y(start = 2);
  Real x(start = 0, fixed = true);
  Real w(start = 0, fixed = true);
equation
  der(x) = -1;
  der(w) = y;
  y = 2 * noEvent(if 5 * y > 1 then 1 elseif 5 * y < -1 then -1 else 5 * y) + x / 2;
end HysteresisWithoutEvents;
