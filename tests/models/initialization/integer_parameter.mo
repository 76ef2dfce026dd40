package IntegerParameter "Parameters of any type that are not fixed are given by initial equations"
  model Test
    parameter Integer n(fixed = false);
    parameter Integer twice(fixed = false);
    parameter Boolean large(fixed = false);
    parameter Real y(fixed = false);
    parameter Integer m = 5;
    Real x(start = 0, fixed = true);
    Real s = y + n*time;
  initial equation
    twice = 2*n;
    n = if m > 10 then 7 else m;
    large = n > 4;
    y = n + 1;
  equation
    der(x) = if large then twice else 0;
  end Test;
end IntegerParameter;
// model IntegerParameter.Test
// expect x(1) = 10 ± 1e-9
// expect s(1) = 11 ± 1e-12
