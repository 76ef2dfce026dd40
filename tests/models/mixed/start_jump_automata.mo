// Diodes join three charged capacitors at the start. With both conducting, a reverse charge would
// pass the second: all voltages would be 13/3. So only the first conducts: (10 + 0)/2. The diodes
// by curve parameters agree.
// expect a.u1(0) = 5 ± 1e-9
// expect a.u2(0) = 5 ± 1e-9
// expect a.u3(0) = 3 ± 1e-9
// expect a.u2(1) = 5*exp(-0.5) ± 1e-6
// expect max err <= 1e-7
// solvers auto cvode radau dopri5 inline-radau
// options --tolerance 1e-8
partial model Circuit
  Real u1(start = 10, fixed = true), u2(start = 0, fixed = true), u3(start = 3, fixed = true);
  Real v1 = u1 - u2, v2 = u3 - u2, i1, i2;
equation
  der(u1) = -i1;
  der(u2) = i1 + i2 - u2;
  der(u3) = -i2;
end Circuit;
model Automata
  extends Circuit;
  Boolean off1(start = true, fixed = true), off2(start = true, fixed = true);
equation
  0 = if pre(off1) then i1 else v1;
  0 = if pre(off2) then i2 else v2;
  off1 = pre(off1) and v1 <= 0 or not pre(off1) and i1 < 0;
  off2 = pre(off2) and v2 <= 0 or not pre(off2) and i2 < 0;
end Automata;
model Curves
  extends Circuit;
  Real s1, s2;
equation
  v1 = if s1 < 0 then s1 else 0;
  i1 = if s1 < 0 then 0 else s1;
  v2 = if s2 < 0 then s2 else 0;
  i2 = if s2 < 0 then 0 else s2;
end Curves;
model StartJumpAutomata
  Automata a;
  Curves b;
  Real err = abs(a.u1 - b.u1) + abs(a.u2 - b.u2) + abs(a.u3 - b.u3);
end StartJumpAutomata;
