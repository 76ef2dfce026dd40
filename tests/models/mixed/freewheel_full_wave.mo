// Two sources of opposite phase, two diodes, a freewheeling diode, and a coil. When the voltage
// changes its sign, the second diode and the freewheeling one reach zero together, and both begin
// to conduct. A moment later only the second one does. The load has the voltage abs(u): each half
// period adds the current J of the first one, J = 10*w*L/Z^2*(1 + exp(-a*T/2)) with a = R/L and
// Z = hypot(R, w*L).
// expect a.i(0.01) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5)) ± 1e-6
// expect a.i(0.03) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5))*(1 + exp(-2.5) + exp(-5)) ± 1e-6
// expect b.i(0.03) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5))*(1 + exp(-2.5) + exp(-5)) ± 1e-6
// expect c.i(0.03) = 10*2*pi/(25 + 4*pi**2)*(1 + exp(-2.5))*(1 + exp(-2.5) + exp(-5)) ± 1e-6
// solvers auto cvode ida esdirk radau dopri5 inline-radau
// options --stop-time 0.03 --tolerance 1e-8
partial model Diode
  Real v;
  input Real i;
  Boolean off(start = true, fixed = true);
equation
  0 = if pre(off) then i else v;
end Diode;
model EitherNegative
  extends Diode;
equation
  off = v < 0 or i < 0;
end EitherNegative;
model NonePositive
  extends Diode;
equation
  off = v <= 0 and not i > 0;
end NonePositive;
model Automaton
  extends Diode;
equation
  off = pre(off) and v <= 0 or not pre(off) and i < 0;
end Automaton;
model Circuit
  replaceable model Element = Automaton;
  parameter Real L = 0.02, R = 5, pi = 3.141592653589793;
  Element first, second, free;
  Real u = 10*sin(100*pi*time), vl, i(start = 0, fixed = true);
equation
  first.v = u - vl;
  second.v = -u - vl;
  free.v = -vl;
  first.i + second.i + free.i = i;
  L*der(i) = vl - R*i;
end Circuit;
model FreewheelFullWave
  Circuit a(redeclare model Element = EitherNegative);
  Circuit b(redeclare model Element = NonePositive);
  Circuit c;
end FreewheelFullWave;
