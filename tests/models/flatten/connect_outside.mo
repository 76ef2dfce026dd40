// A connector of the model itself counts with the other sign.
// expect flat 'm.r.p.i' - 'm.p.i' = 0.0
// expect flat 'm.p.i' + 's.p.i' = 0.0
// expect flat 'm.r.p.v' = 'm.p.v'
// expect ok
connector Pin Real v; flow Real i; end Pin;
model R Pin p; equation p.v = 2*p.i; end R;
model S Pin p; equation p.v = 1; end S;
model M
  Pin p; R r;
equation
  connect(p, r.p);
end M;
model Outside
  M m; S s;
equation
  connect(m.p, s.p);
end Outside;
