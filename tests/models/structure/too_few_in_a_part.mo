model TooFewInAPart "As many equations as unknowns, but the derivative is left with none"
  Real x, y, z;
equation
  der(x) = 1;
  x = time^2 + 1;
  y*z = 3;
end TooFewInAPart;
// expect error T001 with too few equations in the model: 2 unknowns (y, z)
// expect error T001 line 4 with 2 equations for only 1 unknown (x)
