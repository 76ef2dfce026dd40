model Valve "Flow through a valve that reverses: noEvent keeps the root in its domain, without "
  + "events (Guidelines, eq. 3)"
  parameter Real k = 2;
  Real dp = 1 - time, q;
  Real V(start = 0, fixed = true);
equation
  q = noEvent(if dp >= 0 then k*sqrt(dp) else -k*sqrt(-dp));
  der(V) = q;
  annotation(experiment(StopTime = 2));
end Valve;
// options --tolerance 1e-8
// solvers cvode dopri5
// expect events = 0
// expect V(1) = 4/3 ± 1e-5
// expect V(2) = 0 ± 1e-5
