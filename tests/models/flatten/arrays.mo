// expect flat y = A*x
// expect flat der(x) = -x
// expect ok
model Arrays
  parameter Real A[2, 2] = [1, 2; 3, 4];
  Real x[2](each start = 1), y[2];
equation
  der(x) = -x;
  y = A*x;
end Arrays;
