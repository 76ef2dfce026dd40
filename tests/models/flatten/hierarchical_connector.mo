// expect flat 'b.c.p.v' = 'a.c.p.v'
// expect flat 'a.c.q[2].i' + 'b.c.q[2].i' = 0.0
// expect ok
connector Pin Real v; flow Real i; end Pin;
connector Cable Pin p; Pin q[2]; end Cable;
model A Cable c; equation c.p.v = 1; c.q[1].v = 2; c.q[2].v = 3; end A;
model B Cable c; equation c.p.v = c.p.i; c.q.v = c.q.i; end B;
model Hierarchical
  A a; B b;
equation
  connect(a.c, b.c);
end Hierarchical;
