// A modifier has the scope of its own place.
// expect flat parameter Real k = 3.0
// expect flat parameter Real 'a.k' = k
model A parameter Real k = 1; end A;
model Scope
  parameter Real k = 3;
  A a(k = k);
end Scope;
