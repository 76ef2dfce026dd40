// A rectifier whose diode leaks: stiff after each event, with some forty steps of a multistep
// method between events. The same at a tolerance
// a hundred times smaller gives 7.41248.
// solvers auto cvode ida esdirk radau
// expect u(10) = 7.41248 ± 5e-5 [esdirk 2e-4]
model LeakyRectifier
  parameter Real leak = 1e-5;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true), s, v;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else leak*s;
  i = if off then leak*s else s;
  0.01*der(i) = 10*sin(100*3.141592653589793*time) - v - u;
  0.001*der(u) = i - u/50;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end LeakyRectifier;
