// Values are split over the elements of an array of components unless they are meant for each.
// expect flat parameter Real 'a[2].k' = 20.0
// expect flat parameter Real 'a[3].m' = 5.0
// expect flat 'b[2].x' = q[2]
// expect flat parameter Real[2] 'c[2].v' = {3.0, 4.0}
// expect flat Real 'a[1].s'(start = 7.0)
model A
  parameter Real k = 1, m = 2;
  Real s(start = 0) = k*time;
end A;
model B Real x; end B;
model C parameter Real v[2]; end C;
model Split
  A a[3](k = {10, 20, 30}, each m = 5, s(start = {7, 8, 9}));
  Real q[2] = {time, 2*time};
  B b[2](x = q);
  C c[2](v = {{1, 2}, {3, 4}});
end Split;
