model HysteresisWhen "The limits are left behind: the output keeps its value in between"
  parameter Real H = 1;
  Real u = 2*sin(time);
  discrete Real y(start = 0, fixed = true);
equation
  when u > H or u < -H then
    y = if u > H then 1 else -1;
  end when;
  annotation(experiment(StopTime = 7, Tolerance = 1e-8));
end HysteresisWhen;
// solvers cvode dopri5 rk4
// expect y(0.5) = 0 ± 0
// expect event 0.5235987756
// expect event 3.665191429
// expect event 6.806784083
// expect y(0.53) = 1 ± 0
// expect y(3.6) = 1 ± 0
// expect y(3.7) = -1 ± 0
// expect y(6.9) = 1 ± 0
