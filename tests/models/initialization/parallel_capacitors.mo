model ParallelCapacitors "Two voltages that are equal: one state is lost"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;
  model Capacitor
    extends TwoPin;
    parameter Real C = 1;
  equation
    C*der(v) = i;
  end Capacitor;
  model Resistor
    extends TwoPin;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  Capacitor c1(v(start = 2, fixed = true)), c2(C = 3);
  Resistor r(R = 0.5);
  Ground g;
equation
  connect(c1.p, c2.p);
  connect(c1.n, c2.n);
  connect(c1.p, r.p);
  connect(c1.n, r.n);
  connect(g.p, c1.n);
end ParallelCapacitors;
// solvers cvode dopri5 rk4
// expect c2.v(1) = 2*exp(-0.5) ± 1e-5
// expect c1.i(1) = -exp(-0.5) ± 1e-5
