// A nonlinear loop between state and derivative: log(w) + 1.5 w^2 = 1.5 - t.
// solvers high
// options --stop-time 3 --tolerance 1e-8
// expect event 1.125 + log(2) ± 5e-6
// expect event 1.5 + log(4) - 1.5/16 ± 5e-6
model Loop
  Real x(start = 2, fixed = true), w(start = 1);
  Boolean half = w < 0.5, quarter = w < 0.25;
equation
  w + w^3 = x;
  der(x) = -w;
end Loop;
