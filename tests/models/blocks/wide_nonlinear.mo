// One nonlinear block of 10,000 unknowns on a grid of 100 by 100, with a solution chosen
// beforehand.
model WideNonlinear
  constant Integer n = 100;
  Real x[n, n];
  Real s[n, n];
  Real err = max(abs(x - s));
equation
  for i in 1:n loop
    for j in 1:n loop
      s[i, j] = 1 + 0.5*sin(i + 2*j + time);
      x[i, j]^3 + 4*x[i, j]
        - (if i > 1 then x[i - 1, j] else 0) - (if i < n then x[i + 1, j] else 0)
        - (if j > 1 then x[i, j - 1] else 0) - (if j < n then x[i, j + 1] else 0)
      = s[i, j]^3 + 4*s[i, j]
        - (if i > 1 then s[i - 1, j] else 0) - (if i < n then s[i + 1, j] else 0)
        - (if j > 1 then s[i, j - 1] else 0) - (if j < n then s[i, j + 1] else 0);
    end for;
  end for;
end WideNonlinear;
// options --intervals 4
// expect x[50,50](1) = 1 + 0.5*sin(151) ± 1e-10
// expect max err <= 1e-9
