// expect flat parameter Real 'b.a.k' = 7.0
// expect flat parameter Real 'c.a.k' = 8.0
model A parameter Real k = 1; end A;
model B A a(k = 2); end B;
model Nested
  B b(a(k = 7));
  B c(a.k = 8);
end Nested;
