// expect flat parameter Real 'b[2].a[1].k' = 3.0
// expect flat parameter Real 'b[2].a[2].m' = 'b[2].base'
model A parameter Real k = 1, m = 1; end A;
model B
  parameter Real base = 9;
  A a[2](m = {1, base});
end B;
model Split
  B b[2](a(k = {{1, 2}, {3, 4}}));
end Split;
