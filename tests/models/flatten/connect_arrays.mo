// expect flat 'b[2].p.v' = 'a[2].p.v'
// expect flat 'a[3].p.i' + 'b[3].p.i' = 0.0
// expect flat 'c[2].p.i' + 'd[1].p.i' = 0.0
// expect ok
connector Pin Real v; flow Real i; end Pin;
model R Pin p; equation p.v = 2*p.i; end R;
model S Pin p; equation p.v = 1; end S;
model Arrays
  S a[3]; R b[3]; S c[3]; R d[2];
equation
  connect(a.p, b.p);
  connect(c[2:3].p, d.p);
end Arrays;
