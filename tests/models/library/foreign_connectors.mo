// Connectors of Hybrid have the structure of the standard library's: elements with connectors of
// their own, declared alike, join them.
package Foreign
  connector PositivePin Real v(unit = "V"); flow Real i(unit = "A"); end PositivePin;
  connector NegativePin Real v(unit = "V"); flow Real i(unit = "A"); end NegativePin;
  connector Flange_a Real phi(unit = "rad"); flow Real tau(unit = "N.m"); end Flange_a;
  connector Flange_s Real s(unit = "m"); flow Real f(unit = "N"); end Flange_s;
  connector RealOutput = output Real;
  connector BooleanOutput = output Boolean;

  model Resistor
    PositivePin p;
    NegativePin n;
  equation
    p.v - n.v = 2*p.i;
    p.i + n.i = 0;
  end Resistor;

  model Spring
    Flange_a a, b;
  equation
    b.tau = 4*(b.phi - a.phi);
    a.tau + b.tau = 0;
  end Spring;

  model Damper
    Flange_s a, b;
  equation
    b.f = 3*(der(b.s) - der(a.s));
    a.f + b.f = 0;
  end Damper;

  block Signals
    RealOutput y;
    BooleanOutput closed;
  equation
    y = 6;
    closed = time < 2;
  end Signals;
end Foreign;

model Mixed
  Hybrid.Electrical.SignalVoltage source;
  Hybrid.Electrical.Switch switch;
  Hybrid.Electrical.Capacitor C(C = 0.5, v(fixed = true, start = 0));
  Hybrid.Electrical.Ground ground;
  Foreign.Resistor R;
  Foreign.Signals signals;
  Hybrid.Mechanics.Rotational.Inertia J(J = 1, phi(fixed = true, start = 1), w(fixed = true));
  Hybrid.Mechanics.Rotational.Fixed wall;
  Foreign.Spring spring;
  Hybrid.Mechanics.Translational.Mass m(m = 2, s(fixed = true), v(fixed = true, start = 1));
  Hybrid.Mechanics.Translational.Fixed floor_;
  Foreign.Damper damper;
equation
  connect(signals.y, source.u);
  connect(signals.closed, switch.closed);
  connect(source.p, switch.p);
  connect(switch.n, R.p);
  connect(R.n, C.p);
  connect(C.n, ground.p);
  connect(source.n, ground.p);
  connect(wall.a, spring.a);
  connect(spring.b, J.a);
  connect(floor_.a, damper.a);
  connect(damper.b, m.a);
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end Mixed;
// model Mixed
// options --tolerance 1e-9 --intervals 600
// expect C.v(1.0) = 6*(1 - exp(-1)) ± 1e-6
// expect C.v(3.0) = 6*(1 - exp(-2)) ± 1e-6
// expect event 2.0
// expect J.phi(1.5) = cos(3) ± 1e-5
// expect m.v(1.0) = exp(-1.5) ± 1e-6
