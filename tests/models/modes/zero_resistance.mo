model ZeroResistance "A leak that is set to zero: the parameter takes its factor away like a switch"
  parameter Real leak = 0;
  Real v1(start = 5, fixed = true), v2(start = 1, fixed = true), i;
  Boolean closed = time >= 1;
equation
  der(v1) = -i;
  3*der(v2) = i;
  0 = if closed then v1 - v2 - leak*i else i - leak*(v1 - v2);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end ZeroResistance;

// expect v1(1) = 2 ± 1e-7
// expect v2(2) = 2 ± 1e-7
