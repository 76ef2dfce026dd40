// expect flat 'g.u' = 's.y'
// expect flat 'm.u'[2] = 'g.y'
// expect flat 'k.u'[2] = 'm.y'[2]
// expect ok
connector RealInput = input Real;
connector RealOutput = output Real;
block Source RealOutput y = time; end Source;
block Gain RealInput u; RealOutput y; equation y = 2*u; end Gain;
block Mux RealInput u[2]; RealOutput y[2]; equation y = 2*u; end Mux;
model Signals
  Source s; Gain g; Mux m; Mux k;
equation
  connect(s.y, g.u);
  connect(s.y, m.u[1]);
  connect(g.y, m.u[2]);
  connect(m.y, k.u);
end Signals;
