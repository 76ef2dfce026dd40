model HysteresisPre
  Real u = 2*sin(time);
  Boolean high(start = true, fixed = true);
  Real y = if high then 1 else -1;
equation
  high = u >= 1 or pre(high) and u > -1;
  annotation(experiment(StopTime = 7, Tolerance = 1e-8));
end HysteresisPre;
// solvers cvode dopri5 rk4
// expect y(0) = 1 ± 0
// expect y(3.6) = 1 ± 0
// expect event 3.665191429
// expect y(3.7) = -1 ± 0
// expect event 6.806784083
// expect y(6.9) = 1 ± 0
