model TwoTearingVariables "Three unknowns, each in every equation; the right side follows a state"
  parameter Real k = 4;
  Real s(start = 1, fixed = true), x, y, z;
equation
  der(s) = -s;
  2*x + y + z = 7*s;
  x + 3*y + z = 10*s;
  x + y + k*z = 15*s;
end TwoTearingVariables;
// options --tolerance 1e-9 --stop-time 1
// expect x(1) = exp(-1) ± 1e-7
// expect y(1) = 2*exp(-1) ± 1e-7
// expect z(1) = 3*exp(-1) ± 1e-7
// expect equations SOLVED SYSTEM OF EQUATIONS
