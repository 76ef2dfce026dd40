// The current leaves zero with zero slope: a dense output that is off there by the error of a step
// would turn it back at once.
// At a tolerance of 1e-11 dopri5, cvode and radau end within 1e-9 of each other.
// solvers auto cvode ida esdirk radau dopri5
// expect events = 17
// expect u(0.2) = 7.4141035 ± 1e-5
model IdealRectifier
  parameter Real leak = 0;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true), s, v;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else leak*s;
  i = if off then leak*s else s;
  0.01*der(i) = 10*sin(100*3.141592653589793*time) - v - u;
  0.001*der(u) = i - u/50;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end IdealRectifier;
