// linspace needs two points, but only if it is chosen.
// expect y[1](0) = 2
// options --stop-time 1
model LinspaceBranch
  parameter Integer n = 1;
  parameter Real x[n] = if n > 1 then linspace(1, 3, n) else {(1 + 3)/2};
  Real y[n] = x;
end LinspaceBranch;
