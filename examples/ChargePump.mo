// A capacitor is filled from a source without resistance and emptied into another one, in turn:
// each closing of a switch is a jump that keeps the charge. After k
// periods the second one has 1 - (C2/(C1 + C2))^k of the source's voltage.
model ChargePump
  import Hybrid.Electrical.*;
  ConstantVoltage source(V = 10);
  Switch fill(closed = filling), empty(closed = not filling);
  Capacitor bucket(C = 1, v(start = 0, fixed = true)), tank(C = 3, v(start = 0, fixed = true));
  Ground ground;
  Boolean filling = sin(2*3.141592653589793*time) > 0;
equation
  connect(source.n, ground.p);
  connect(source.p, fill.p);
  connect(fill.n, bucket.p);
  connect(bucket.p, empty.p);
  connect(empty.n, tank.p);
  connect(bucket.n, ground.p);
  connect(tank.n, ground.p);
  annotation(experiment(StopTime = 4.9));
end ChargePump;
// solvers cvode dopri5 inline-radau
// expect tank.v(0.9) = 10*(1 - 0.75) ± 1e-7
// expect tank.v(1.9) = 10*(1 - 0.75**2) ± 1e-7
// expect tank.v(4.9) = 10*(1 - 0.75**5) ± 1e-7
// expect bucket.v(4.4) = 10 ± 1e-7
