model RLC "Step response of a series circuit, built from the elements in one file"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  partial model OnePort
    Pin p, n;
    Real v(unit = "V"), i(unit = "A");
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end OnePort;
  model Resistor
    extends OnePort;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;
  model Inductor
    extends OnePort;
    parameter Real L = 1;
  equation
    L*der(i) = v;
  end Inductor;
  model Capacitor
    extends OnePort;
    parameter Real C = 1;
  equation
    C*der(v) = i;
  end Capacitor;
  model Step "voltage that steps from 0 to V at time T"
    extends OnePort;
    parameter Real V = 1, T = 0;
  equation
    v = if time < T then 0 else V;
  end Step;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  Step source(V = 10, T = 0.5);
  Resistor R(R = 1);
  Inductor L(L = 1, i(start = 0, fixed = true));
  Capacitor C(C = 1, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, R.p);
  connect(R.n, L.p);
  connect(L.n, C.p);
  connect(C.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 10));
end RLC;

// v'' + v' + v = 10 from t = 0.5 on: v = 10*(1 - exp(-s/2)*(cos(w*s) + sin(w*s)/(2*w))), w =
// sqrt(3)/2, s = t - 0.5.
// The step is a time event: the integrator stops exactly there.
// options --tolerance 1e-8
// solvers cvode dopri5 rk4 euler
// expect event 0.5 ± 1e-15
// expect events = 1
// expect source.v(0.5-) = 0 ± 0
// expect source.v(0.5) = 10 ± 0
// expect C.v(1.5) = 10*(1 - exp(-0.5)*(cos(sqrt(3)/2) + sin(sqrt(3)/2)/sqrt(3))) ± 1e-6 [euler 0.1]
// expect C.v(10) = 10*(1 - exp(-4.75)*(cos(sqrt(3)/2*9.5) + sin(sqrt(3)/2*9.5)/sqrt(3))) ± 1e-6 [euler 0.1]
// expect L.i(3.5) = 10*exp(-1.5)*sin(sqrt(3)/2*3)/(sqrt(3)/2) ± 1e-6 [euler 0.1]
