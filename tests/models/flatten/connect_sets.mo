// A set of n connectors gives n - 1 equalities and one sum of flows.
// expect flat 'b.p.v' = 'a.p.v'
// expect flat 'c.p.v' = 'a.p.v'
// expect flat 'a.p.i' + 'b.p.i' + 'c.p.i' = 0.0
// expect ok
connector Pin Real v; flow Real i; end Pin;
model R Pin p; equation p.v = 2*p.i; end R;
model S Pin p; equation p.v = 1; end S;
model Sets
  S a; R b, c;
equation
  connect(a.p, b.p);
  connect(b.p, c.p);
end Sets;
