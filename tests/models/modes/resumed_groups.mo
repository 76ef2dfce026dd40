// Two groups of ideal diodes. In some modes a group cannot be planned alone, in others it can. A
// saved run must find the states of its mode in the order in which they were saved, whatever modes
// were visited before: tests/tools/saved_states.c and tests/cli/states.py continue this model.
model ResumedGroups
  model Diode
    Real v, i;
    Boolean off(start = true, fixed = true), open = pre(off);
  equation
    0 = (if open then 1 else 0)*i + (if open then 0 else 1)*v;
    off = pre(off) and v <= 0 or not pre(off) and i < 0;
    annotation(__Kairos(balanced = false));
  end Diode;
  parameter Real L = 0.01, C = 0.001, R = 50;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true);
  Real U = 10*sin(100*3.141592653589793*time);
  Diode d;
  Real k(start = 0, fixed = true), w;
  Diode to, free;
equation
  L*der(i) = U - d.v - u;
  C*der(u) = i - u/R;
  d.i = i;
  to.v = 10 - 20*time/0.1 - w;
  free.v = -w;
  to.i + free.i = k;
  0.01*der(k) = w - 5*k;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
end ResumedGroups;

// 0.01 k' = 10 - 200 t - 5 k: k = 2.08 - 40 t - 2.08 exp(-500 t) to 0.05, then it decays
// expect k(0.02) = 2.08 - 0.8 - 2.08*exp(-10) ± 1e-6
// expect k(0.06) = (0.08 - 2.08*exp(-25))*exp(-5) ± 1e-6
