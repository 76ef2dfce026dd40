// options --tolerance 1e-9
// expect y[1](1) = 1 ± 1e-6
// expect y[2](1) = 1 ± 1e-6
// expect y[3](1) = 0.5 ± 1e-6
// expect s(1) = 2.5 ± 1e-6
// expect w(1) = 2
// expect last(1) = 0.5 ± 1e-6
block Chain "integrators in a row"
  parameter Integer n = 1;
  parameter Real k[n] = ones(n);
  input Real u;
  output Real y;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = k[1]*u;
  for i in 2:n loop
    der(x[i]) = k[i]*x[i - 1];
  end for;
  y = x[n];
end Chain;
model Sizes
  Chain c[3](n = {1, 2, 3}, u = {1, 2, 3});
  Real y[3] = c.y;
  Real s = sum(c.y);
  Integer w = size(c[2].x, 1);
  parameter Integer which = 3;
  Real last = c[which].x[end];
end Sizes;
