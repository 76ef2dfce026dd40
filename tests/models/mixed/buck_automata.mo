// A switch opens while a coil carries current, and the freewheeling diode, an automaton, still
// blocks. Its voltage turns it on only if the current is about to jump to zero; the current goes on
// through the diode. Three forms of the automaton. The current rises to 2 with the rate a = R/L for
// 6 ms and falls for 4 ms, five times: i' = (2 + (i - 2)*exp(-3))*exp(-2).
// expect a.iL(0.006) = 2*(1 - exp(-3)) ± 1e-7
// expect a.iL(0.01) = 2*(1 - exp(-3))*exp(-2) ± 1e-7
// expect a.iL(0.05) = 2*(1 - exp(-3))*exp(-2)*(1 - exp(-25))/(1 - exp(-5)) ± 1e-7
// expect b.iL(0.05) = 2*(1 - exp(-3))*exp(-2)*(1 - exp(-25))/(1 - exp(-5)) ± 1e-7
// expect c.iL(0.05) = 2*(1 - exp(-3))*exp(-2)*(1 - exp(-25))/(1 - exp(-5)) ± 1e-7
// solvers auto cvode radau dopri5 inline-radau
// options --stop-time 0.05 --tolerance 1e-8
partial model Circuit
  parameter Real U = 10, L = 0.01, R = 5, T = 0.01, D = 0.6;
  Real vd, id, vs, is, vn;
  Real iL(start = 0, fixed = true);
  Boolean closed(start = true, fixed = true), off(start = true, fixed = true);
equation
  when sample(0, T) then
    closed = true;
  elsewhen sample(D*T, T) then
    closed = false;
  end when;
  vs = U - vn;
  vd = -vn;
  0 = if closed then vs else is;
  0 = if pre(off) then id else vd;
  is + id = iL;
  L*der(iL) = vn - R*iL;
end Circuit;

model ByAutomaton
  extends Circuit;
equation
  off = pre(off) and vd <= 0 or not pre(off) and id < 0;
end ByAutomaton;

model ByEitherSign
  extends Circuit;
equation
  off = vd < 0 or id < 0;
end ByEitherSign;

model ByBothSigns
  extends Circuit;
equation
  off = vd <= 0 and not id > 0;
end ByBothSigns;

model BuckAutomata
  ByAutomaton a;
  ByEitherSign b;
  ByBothSigns c;
end BuckAutomata;
