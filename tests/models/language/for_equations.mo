model ForEquations
  parameter Integer n = 4;
  Real x[n], y[n, n];
equation
  x[1] = time;
  for i in 2:n loop
    x[i] = x[i - 1] + i;
  end for;
  for i in 1:n, j in 1:n loop
    y[i, j] = if i == j then x[i] else i*j;
  end for;
end ForEquations;
// expect x[4](1) = 10 ± 1e-12
// expect y[4,4](0) = 9 ± 1e-12
// expect y[3,2](0) = 6 ± 0
