// The classical method of order 4: (1 - h + h^2/2 - h^3/6 + h^4/24)^n.
// solvers rk4
// options --step 0.1
// expect x(1) = (1 - 0.1 + 0.005 - 0.001/6 + 0.0001/24)^10 ± 1e-13
model Order4
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Order4;
