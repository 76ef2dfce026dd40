// expect y(0) = 2 ± 1e-12
connector RealInput = input Real;
connector RealOutput = output Real;
connector Bus
  input Real a;
  output Real b;
end Bus;
block Gain
  RealInput u;
  RealOutput y = 2*u;
  Bus bus;
equation
  bus.b = bus.a;
end Gain;
model M
  Gain g(u = 1, bus(a = 3));
  Real y = g.y;
end M;
