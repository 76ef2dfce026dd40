model Completed "Too few conditions: completed from start values, and reported"
  Real x(start = 3), y(start = 1, fixed = true);
equation
  der(x) = -x;
  der(y) = x;
end Completed;
// expect x(0) = 3 ± 0
// expect y(1) = 1+3*(1-exp(-1)) ± 1e-5
