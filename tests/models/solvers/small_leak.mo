// A rectifier whose diode leaks next to nothing: while it blocks, nanoamperes decide over volts, so
// that an error of the current within its tolerance
// would be a crossing of the voltage. Its events are those of the ideal circuit (leak = 0), which
// ends at 7.4141035.
// solvers auto cvode ida radau
// expect events = 17
// expect u(0.2) = 7.4141035 ± 1e-5
model SmallLeak
  parameter Real leak = 1e-9;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true), s, v;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else leak*s;
  i = if off then leak*s else s;
  0.01*der(i) = 10*sin(100*3.141592653589793*time) - v - u;
  0.001*der(u) = i - u/50;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end SmallLeak;
