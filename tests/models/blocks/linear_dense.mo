// A full matrix: identity plus all ones. x[k] = b[k] - sum(b)/(n + 1).
// expect x[1](1.0) = 1 - 60*61/2/61 ± 1e-9
// expect x[60](1.0) = 60 - 60*61/2/61 ± 1e-9
// options --stop-time 1 --intervals 2
// solvers dopri5
model linear_dense
  constant Integer n = 60;
  Real x[n];
equation
  for k in 1:n loop
    x[k] + sum(x) = k*time;
  end for;
end linear_dense;
