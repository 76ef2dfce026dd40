// A flyback converter: an ideal transformer beside its magnetizing coil. While the switch is closed
// the diode blocks and the coil fills; when it opens, the coil's current goes on through the
// transformer and the diode in the same instant. In continuous conduction the output is V*D/(1 -
// D)/n, here 12 V; the coil has 1 A in the mean, and 0.24 A more when the switch opens.
model Flyback
  import Hybrid.Electrical.*;
  ConstantVoltage source(V = 48);
  Switch switch(closed = on);
  Inductor coil(L = 1e-3, i(start = 0.76, fixed = true));
  Transformer transformer(n = 4);
  Diode diode;
  Capacitor storage(C = 1e-4, v(start = 12, fixed = true));
  Resistor load(R = 6);
  Ground ground;
  Boolean on(start = true, fixed = true);
equation
  when sample(0, 2e-5) then
    on = true;
  elsewhen sample(1e-5, 2e-5) then
    on = false;
  end when;
  connect(source.n, ground.p);
  connect(source.p, coil.p);
  connect(coil.n, switch.p);
  connect(switch.n, ground.p);
  connect(transformer.p1, coil.p);
  connect(transformer.n1, coil.n);
  connect(transformer.p2, ground.p);
  connect(transformer.n2, diode.p);
  connect(diode.n, storage.p);
  connect(storage.n, ground.p);
  connect(load.p, storage.p);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-8));
end Flyback;
// solvers cvode dopri5 inline-radau
// expect max storage.v <= 12.4
// expect min storage.v >= 11.6
// expect coil.i(0.00999) = 1.24 ± 0.01
