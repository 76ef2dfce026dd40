model StartByOutput "The start value of an algebraic variable fixes the state"
  Real x, y(start = 4, fixed = true);
equation
  der(x) = -x;
  y = x*x;
end StartByOutput;
// options --set x.start=1
// expect x(0) = 2 ± 1e-6
// expect x(1) = 2*exp(-1) ± 1e-5
