// Six ideal diodes between three phases and a coil, with no impedance in the lines: the current is
// handed over in no time, at instants at which two sources are equal and
// either diode could conduct. The mean of the voltage over a period is 3*sqrt(3)/pi of the
// amplitude.
model SixPulseRectifier
  import Hybrid.Electrical.*;
  constant Real pi = 3.141592653589793;
  SineVoltage phase[3](each V = 100, phase = {0, -2*pi/3, 2*pi/3});
  Diode upper[3], lower[3];
  Inductor coil(L = 1, i(start = 16.54, fixed = true));
  Resistor load(R = 10);
  Ground ground;
  Real mean(start = 0, fixed = true) "of the voltage, at the end of the period";
equation
  for k in 1:3 loop
    connect(phase[k].n, ground.p);
    connect(phase[k].p, upper[k].p);
    connect(phase[k].p, lower[k].n);
    connect(upper[k].n, coil.p);
    connect(lower[k].p, load.n);
  end for;
  connect(coil.n, load.p);
  der(mean) = 50*(coil.p.v - load.n.v);
  annotation(experiment(StopTime = 0.02, Tolerance = 1e-8));
end SixPulseRectifier;
// solvers cvode dopri5 radau inline-radau
// expect events = 6
// expect event 1/600 ± 1e-9
// expect mean(0.02) = 300*sqrt(3)/pi ± 2e-4
