// A bridge of four thyristors, fired 60 degrees after the voltage has crossed zero, feeds a large
// coil: each pair conducts until the other is fired, also
// against the source. The mean of the voltage is 2/pi*V*cos(alpha).
model ThyristorBridge
  import Hybrid.Electrical.*;
  constant Real pi = 3.141592653589793;
  parameter Real alpha = pi/3 "Firing angle";
  SineVoltage source(V = 100);
  Thyristor a(fire = first), b(fire = second), c(fire = second), d(fire = first);
  Inductor coil(L = 1, i(start = 100/pi, fixed = true));
  Resistor load(R = 1);
  Ground ground;
  Boolean first = sin(100*pi*time - alpha) > 0, second = sin(100*pi*time - alpha) < 0;
  Real mean(start = 0, fixed = true) "of the voltage over the second period";
equation
  connect(source.n, ground.p);
  connect(source.p, a.p);
  connect(source.n, b.p);
  connect(a.n, coil.p);
  connect(b.n, coil.p);
  connect(coil.n, load.p);
  connect(load.n, c.p);
  connect(load.n, d.p);
  connect(c.n, source.p);
  connect(d.n, source.n);
  der(mean) = if time > 0.02 then 50*(coil.p.v - load.n.v) else 0;
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-8));
end ThyristorBridge;
// solvers cvode dopri5 radau inline-radau
// expect mean(0.04) = 100/pi ± 1e-4
