// Two diodes by the automaton of the 1999 paper (section 4.1) on sources of opposite phase, into
// one load. At the start both sources are zero up to rounding, which decides nothing. The circuit
// behaves like a bridge of ideal diodes.
// expect event 0.00569345 ± 1e-7
// expect event 0.01317810 ± 1e-7
// expect event 0.01567902 ± 1e-7
// expect c.v(0.02) = 17.9283885 ± 1e-5
// expect c.v(0.1) = 17.9284587 ± 1e-5
// solvers auto cvode ida esdirk radau dopri5
// options --stop-time 0.1 --tolerance 1e-8
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p, n;
  Real v = p.v - n.v, i = p.i;
equation
  p.i + n.i = 0;
end TwoPin;
model Diode
  extends TwoPin;
  Boolean off(start = true, fixed = true);
equation
  0 = if pre(off) then i else v;
  off = pre(off) and v <= 0 or not pre(off) and i < 0;
end Diode;
model Resistor
  extends TwoPin;
  parameter Real R;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends TwoPin;
  parameter Real C;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends TwoPin;
  parameter Real phase = 0, pi = 3.141592653589793;
equation
  v = 20*sin(100*pi*time + phase);
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model AutomatonDiodes
  Source s1, s2(phase = 3.141592653589793);
  Resistor r1(R = 0.5), r2(R = 0.5), load(R = 50);
  Capacitor c(C = 0.001, v(start = 0, fixed = true));
  Diode d1, d2;
  Ground ground;
equation
  connect(s1.p, r1.p);
  connect(r1.n, d1.p);
  connect(s2.p, r2.p);
  connect(r2.n, d2.p);
  connect(d1.n, c.p);
  connect(d2.n, c.p);
  connect(c.p, load.p);
  connect(s1.n, ground.p);
  connect(s2.n, ground.p);
  connect(c.n, ground.p);
  connect(load.n, ground.p);
end AutomatonDiodes;
