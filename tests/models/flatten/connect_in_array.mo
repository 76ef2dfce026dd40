// Connections within the elements of an array are repeated.
// expect flat 'm[2].b.p.v' = 'm[2].a.p.v'
// expect flat 'm[3].a.p.i' + 'm[3].b.p.i' = 0.0
// expect ok
connector Pin Real v; flow Real i; end Pin;
model R Pin p; equation p.v = 2*p.i; end R;
model S Pin p; equation p.v = 1; end S;
model M
  S a; R b;
equation
  connect(a.p, b.p);
end M;
model InArray
  M m[3];
end InArray;
