// expect flat annotation(experiment(StartTime = 1, StopTime = 3, Tolerance = 1e-8, Interval = 0.5))
// expect ok
model Experiment
  Real x = time;
  annotation(experiment(StartTime = 1, StopTime = 3, Tolerance = 1e-8, Interval = 0.5));
end Experiment;
