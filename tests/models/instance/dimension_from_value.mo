// expect flat parameter Real[3] table = {1.0, 2.0, 3.0}
// expect flat Real[3] y
// expect ok
model Infer
  parameter Real table[:] = {1, 2, 3};
  Real y[size(table, 1)] = table*time;
end Infer;
