// A component is checked as if its connectors were connected. Its current alone would be determined
// twice, its potentials not at all.
// expect ok
model component_by_itself
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  parameter Real R(start = 1);
  Pin p, n;
  Real v = p.v - n.v;
equation
  p.i + n.i = 0;
  v = R*p.i;
end component_by_itself;
