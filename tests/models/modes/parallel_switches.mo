model ParallelSwitches "Two ideal switches in parallel join two capacitors: only the sum "
  + "of their currents matters"
  parameter Real C1 = 1, C2 = 3;
  Real v1(start = 5, fixed = true), v2(start = 1, fixed = true);
  Real i1, i2;
  Boolean a = time >= 1, b = time >= 1.5;
equation
  C1*der(v1) = 1 - i1 - i2;
  C2*der(v2) = i1 + i2;
  0 = if a then v1 - v2 else i1;
  0 = if b then v1 - v2 else i2;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end ParallelSwitches;

// solvers cvode dopri5 inline-radau
// expect v1(1) = 9/4 ± 1e-7
// expect v1(1.5) = 9/4 + 0.5/4 ± 1e-7
// expect v1(2) = 9/4 + 1/4 ± 1e-7
// expect v2(2) = 9/4 + 1/4 ± 1e-7
// While both are closed, they share 3/4 evenly.
// expect i1(1.2) = 3/4 ± 1e-7
// expect i1(2) = 3/8 ± 1e-7
// expect i2(2) = 3/8 ± 1e-7
