// A leak so small that the transient after an event, some 1e-14 s, is shorter than the resolution
// of time. The ideal circuit (leak = 0) ends at 7.4141035.
// solvers auto cvode ida esdirk radau
// expect u(0.2) = 7.4141035 ± 3e-5
model LeastLeak
  parameter Real leak = 1e-12;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true), s, v;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else leak*s;
  i = if off then leak*s else s;
  0.01*der(i) = 10*sin(100*3.141592653589793*time) - v - u;
  0.001*der(u) = i - u/50;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end LeastLeak;
