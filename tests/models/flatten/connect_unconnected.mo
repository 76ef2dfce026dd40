// expect flat 'r.p.i' = 0.0
// expect ok
connector Pin Real v; flow Real i; end Pin;
model R Pin p; equation p.v = 2*p.i + 1; end R;
model Unconnected
  R r;
end Unconnected;
