// A variable that is zero at the start is not zero for good: its products stay.
// expect x(1) = 1 ± 1e-6
// expect y(1) = 1/3 ± 1e-6
model ZeroAtStart
  Real x, y(start = 0, fixed = true), w;
initial equation
  x = 0;
equation
  der(x) = 1;
  der(y) = x*w;
  w = x;
end ZeroAtStart;
