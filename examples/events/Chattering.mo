model Chattering "A relay without hysteresis: the motion slides on x = 0 from 0.5 on, with the "
  + "mean of both sides"
  Real x(start = 0.5, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  annotation(experiment(StopTime = 2));
end Chattering;
// solvers auto cvode dopri5 rk4 euler
// expect warning R019 line 5
// expect event 0.5
// expect x(0.25) = 0.25 ± 1e-6
// expect x(2) = 0 ± 1e-9
