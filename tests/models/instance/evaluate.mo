// With annotation Evaluate a parameter counts as its value: a column that is zero does not couple.
// Set from outside, it still counts.
// options --set n=3
// expect y(1.0) = 9 ± 1e-12
// expect z(1.0) = 1 ± 1e-12
// expect equations [y] = 4.0
model evaluate
  parameter Real n = 2 annotation(Evaluate = true);
  parameter Real square = n^2;
  parameter Real none = 0 annotation(Evaluate = true);
  Real y, z;
equation
  y = square + none*z;
  z = 1 + none*y;
end evaluate;
