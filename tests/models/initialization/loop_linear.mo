model LoopLinear
  Real x, y, z;
equation
  x + y + z = 6 + time;
  x - y + 2*z = 5;
  2*x + y - z = 1;
end LoopLinear;
// expect x(0) = 1 ± 1e-12
// expect y(0) = 2 ± 1e-12
// expect z(0) = 3 ± 1e-12
// expect x(1) = 1-1/7 ± 1e-12
