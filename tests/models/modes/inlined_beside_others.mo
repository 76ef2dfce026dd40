// Only the inductor current is inlined, because a diode in series fixes its causality; the solver
// integrates the others, or the stages of an inline method iterate over them. A rectifier with the
// same values by modes (examples/DiodeInductor.mo) gave the expectations; the oscillator beside it
// has an analytical solution.
// expect uC(0.05) = 8.69557832 ± 2e-5
// expect uC(0.2) = 7.41410349 ± 2e-5
// expect x(0.2) = cos(100*0.2) ± 1e-5
// expect event 0.0101191 ± 1e-6
// options --inline i* --tolerance 1e-8 --stop-time 0.2
// solvers inline-radau auto dopri5 rkf45 radau esdirk cvode ida
model InlinedBesideOthers
  Real iD(start = 0, fixed = true), uC(start = 0, fixed = true), uD, s;
  Boolean off;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  off = s < 0;
  uD = if off then s else 0;
  iD = if off then 0 else s;
  0.01*der(iD) = 10*sin(100*3.141592653589793*time) - uD - uC;
  0.001*der(uC) = iD - uC/50;
  der(x) = -100*y;
  der(y) = 100*x;
end InlinedBesideOthers;
