// expect flat parameter Real 's.r.G' = 4.0
// expect flat parameter Real 's.r.k' = 5.0
// expect ok
partial model One input Real v; Real i; parameter Real k = 0; end One;
model Resistor extends One; parameter Real R = 1; equation i = v/R; end Resistor;
model Conductor extends One; parameter Real G = 1; equation i = G*v; end Conductor;
model Source
  replaceable Resistor r(k = 5) constrainedby One(k = 5);
equation
  r.v = 1;
end Source;
model Redeclare
  Source s(redeclare Conductor r(G = 4));
end Redeclare;
