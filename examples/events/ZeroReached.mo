model ZeroReached "A value that arrives at exactly zero and stays there is taken literally"
  Real x(start = 0.75, fixed = true), y;
  Boolean up;
equation
  der(x) = -1;
  y = noEvent(max(0, x));
  up = y > 0;
  annotation(experiment(StopTime = 2));
end ZeroReached;
// options --tolerance 1e-8
// expect event 0.75
// expect up(0.7) = 1
// expect up(0.75) = 0
// expect up(2) = 0
// expect events = 1
