// expect y(0) = 3 ± 1e-12
connector RealInput = input Real;
connector RealOutput = output Real;
model Source
  parameter Boolean has = true;
  RealOutput y if has;
  RealOutput inside;
equation
  inside = 3;
  connect(inside, y);
end Source;
model Sink
  RealInput u;
  Real z = u;
end Sink;
model M
  Source s;
  Sink k;
  Real y = k.z;
equation
  connect(s.y, k.u);
end M;
