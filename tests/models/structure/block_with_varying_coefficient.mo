model BlockWithVaryingCoefficient "Its determinant 1 - s follows a state, so it stays a system"
  Real s(start = 0, fixed = true), x, y;
equation
  der(s) = 0.5;
  x + y = 1;
  s*x + y = 2;
end BlockWithVaryingCoefficient;
// options --tolerance 1e-9 --stop-time 1
// expect x(1) = -2 ± 1e-6
// expect y(1) = 3 ± 1e-6
// expect equations TORN VARIABLES: 1 of 2
