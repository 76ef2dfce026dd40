// A component whose condition is false does not exist, nor do its connections.
// expect flat 'a.x' = time
// expect flat 'b.c.f' = 0.0
// expect ok
model A
  parameter Boolean use = true;
  connector C Real e; flow Real f; end C;
  model S C c; equation c.e = time; end S;
  C c if use;
  S s;
  Real x = time;
equation
  connect(c, s.c);
end A;
model Conditional
  A a(use = false);
  A b(use = true);
end Conditional;
