// A switch connects two capacitors. Their voltages jump, since no position of the diode avoids it:
// 4 = (1e-3*10 + 2e-3*1)/3e-3. The diode, an automaton, then conducts to a source of 3 V, with the
// time constant 3e-3*100.
// expect u1(0.5-) = 10 ± 1e-9
// expect u1(0.5) = 4 ± 1e-9
// expect u2(0.5) = 4 ± 1e-9
// expect u1(1) = 3 + exp(-0.5/0.3) ± 1e-6
// expect id(1) = exp(-0.5/0.3)/100 ± 1e-8
// solvers auto cvode radau dopri5 inline-radau
// options --tolerance 1e-8
model ChargesAndAutomaton
  parameter Real C1 = 1e-3, C2 = 2e-3, R = 100;
  Real u1(start = 10, fixed = true), u2(start = 1, fixed = true), i, vd, id;
  Boolean closed = time > 0.5, off(start = true, fixed = true);
equation
  C1*der(u1) = -i;
  C2*der(u2) = i - id;
  0 = if closed then u1 - u2 else i;
  vd = u2 - 3 - R*id;
  0 = if pre(off) then id else vd;
  off = pre(off) and vd <= 0 or not pre(off) and id < 0;
end ChargesAndAutomaton;
