// A relation arrives at exactly zero and stays there, and another one changes later in the same
// step: the first event is not passed over. While the diode blocks, the mode has no state, so that
// a step may be as long as the run. The current of a half wave is that of the first.
// expect event 0.02 ± 1e-9
// expect event 0.04 ± 1e-9
// expect i(0.045) = 20/(25 + pi**2)*(5 + pi*exp(-2.5)) ± 1e-6
// expect below(0.035) = 0
// solvers auto cvode dopri5 radau esdirk rkf45
// options --tolerance 1e-8
model RestBeforeCrossing "Half-wave rectifier with a coil, by the automaton of the 1999 report"
  constant Real pi = 3.141592653589793;
  Real i(start = 0, fixed = true), v, u;
  Boolean off(start = true, fixed = true);
  Boolean below = i < 0;
equation
  u = 20*sin(100*pi*time);
  0.01*der(i) + 5*i = u - v;
  0 = if pre(off) then i else v;
  off = pre(off) and v <= 0 or not pre(off) and i < 0;
  annotation(experiment(StopTime = 0.05));
end RestBeforeCrossing;
