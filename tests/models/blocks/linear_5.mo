// A chain of 5 resistors between 1 and 0: the voltages fall evenly. One linear block, against its
// closed form.
// expect v[1](1.0) = 5/(5 + 1) ± 1e-9
// expect v[5](1.0) = 1/(5 + 1) ± 1e-9
// expect i(1.0) = 1/(5 + 1) ± 1e-9
// options --stop-time 1 --intervals 2
// solvers dopri5
model linear_5
  constant Integer n = 5;
  Real v[n];
  Real i;
  Real x(start = 1, fixed = true);
equation
  der(x) = 0;
  2*v[1] - v[2] = x;
  for k in 2:n - 1 loop
    -v[k - 1] + 2*v[k] - v[k + 1] = 0;
  end for;
  -v[n - 1] + 2*v[n] = 0;
  i = x - v[1];
end linear_5;
