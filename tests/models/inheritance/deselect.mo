// expect y(0) = 20 ± 1e-12
// expect z(0) = 7 ± 1e-12
// Components and connections left out of an extends clause (section 7.4).
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  parameter Real k = 1;
  RealOutput y = k;
end Source;
block Gain
  parameter Real k = 2;
  RealInput u;
  RealOutput y = k*u;
end Gain;
model System
  Source s(k = 1);
  Gain g;
  Gain h;
equation
  connect(s.y, g.u);
  connect(g.y, h.u);
end System;
model Other
  extends System(break g, h(k = 2));
  Source t(k = 10);
equation
  connect(t.y, h.u);
end Other;
model Cut
  extends System(break connect(h.u, g.y));
  Source t(k = 3.5);
equation
  connect(t.y, h.u);
end Cut;
model M
  Other o;
  Cut c;
  Real y = o.h.y;
  Real z = c.h.y;
end M;
