// A switch short-circuits a capacitor beside two diodes, automata of the form of 1993. The impulse
// of the current passes the switch alone. In the diodes, rounding of this impulse remains, which
// must not turn them on. A source of 4.9 V charges the capacitor with the rate a =
// (1/1.58 + 1/1.98)/0.64 until 0.5.
// expect u(0.5-) = 4.9*1.98/(1.58 + 1.98)*(1 - exp(-0.5*(1/1.58 + 1/1.98)/0.64)) ± 1e-6
// expect u(0.5) = 0 ± 1e-12
// expect is(1) = 4.9/1.58 ± 1e-9
// expect i1(1) = 0 ± 1e-9
// solvers auto cvode radau dopri5 inline-radau
// options --tolerance 1e-8
model ShortedDiodes
  Real u(start = 0, fixed = true), is, i1, i2, ir, v = -u, i0, j;
  Boolean closed = time > 0.5;
  Boolean off1(start = true, fixed = true), off2(start = true, fixed = true);
equation
  0.64*der(u) = j;
  ir = u/1.98;
  4.9 - u = 1.58*i0;
  j + is + ir = i0 + i1 + i2;
  0 = if closed then u else is;
  0 = if pre(off1) then i1 else v;
  0 = if pre(off2) then i2 else v;
  off1 = v <= 0 and not i1 > 0;
  off2 = v <= 0 and not i2 > 0;
end ShortedDiodes;
