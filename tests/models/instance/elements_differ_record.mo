// expect y(0) = 2
// expect z[1](0) = 1
// expect z[2](0) = 2
record Data
  parameter Integer n = 1;
  parameter Real x[n] = ones(n);
end Data;
model Records
  Data d[2](n = {1, 2});
  Real y = sum(d[2].x);
  Real z[2] = {sum(d[k].x) for k in 1:2};
end Records;
