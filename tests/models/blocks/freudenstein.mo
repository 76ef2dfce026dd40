// Freudenstein and Roth: from the usual start a descent method ends in a local minimum of the
// residual; the solution is (5, 4).
// expect x(0) = 5 ± 1e-8
// expect y(0) = 4 ± 1e-8
model Freudenstein
  Real x(start = 0.5), y(start = -2);
equation
  x + ((5 - y)*y - 2)*y = 13;
  x + ((y + 1)*y - 14)*y = 29;
end Freudenstein;
