model A
  Real x(start = 1, fixed = true);
equation
  der(x) = x*x;
  annotation(experiment(StopTime=2));
end A;
// expect error R010
