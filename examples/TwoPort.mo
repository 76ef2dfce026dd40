package TwoPort "Electrical elements by inheritance from one two-port, and circuits of them"
  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");

  connector Pin
    Voltage v;
    flow Current i;
  end Pin;

  partial model OnePort "two pins; the current that enters at p leaves at n"
    Pin p, n;
    Voltage v "voltage from p to n";
    Current i "current from p to n";
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end OnePort;

  model Resistor
    extends OnePort;
    parameter Real R(unit = "Ohm") = 1;
  equation
    R*i = v;
  end Resistor;

  model Capacitor
    extends OnePort;
    parameter Real C(unit = "F") = 1;
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor
    extends OnePort;
    parameter Real L(unit = "H") = 1;
  equation
    L*der(i) = v;
  end Inductor;

  model ConstantVoltage
    extends OnePort;
    parameter Voltage V = 1;
  equation
    v = V;
  end ConstantVoltage;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Series "R, L, C in series on a constant voltage"
    ConstantVoltage source(V = 1);
    Resistor R1(R = 1);
    Inductor L1(L = 1, i(start = 0, fixed = true));
    Capacitor C1(C = 1, v(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, R1.p);
    connect(R1.n, L1.p);
    connect(L1.n, C1.p);
    connect(C1.n, source.n);
    connect(source.n, ground.p);
  end Series;

  model Parallel "R, L, C in parallel, fed through a resistor"
    ConstantVoltage source(V = 1);
    Resistor Ri(R = 1), R1(R = 1);
    Inductor L1(L = 1, i(start = 0, fixed = true));
    Capacitor C1(C = 1, v(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, Ri.p);
    connect(Ri.n, R1.p);
    connect(Ri.n, L1.p);
    connect(Ri.n, C1.p);
    connect(R1.n, source.n);
    connect(L1.n, source.n);
    connect(C1.n, source.n);
    connect(source.n, ground.p);
  end Parallel;
end TwoPort;

// `kairos simulate examples/TwoPort.mo` runs Parallel: v'' + 2 v' + v = 0, v(0) = 0, v'(0) = 1, so
// v = t*exp(-t).
// options --tolerance 1e-8 --stop-time 5
// solvers cvode dopri5 rk4 euler
// expect C1.v(1) = exp(-1) ± 1e-6 [euler 5e-3]
// expect C1.v(5) = 5*exp(-5) ± 1e-6 [euler 5e-3]
// expect R1.i(2) = 2*exp(-2) ± 1e-6 [euler 5e-3]
// expect Ri.i(2) = 1 - 2*exp(-2) ± 1e-6 [euler 5e-3]
// expect L1.i(3) = 1 - exp(-3)*(1 + 3) ± 1e-6 [euler 5e-3]
