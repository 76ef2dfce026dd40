model E
  Real x Real y;
  parameter Real model = 3;
  Real z = a*-b^c^d;
equation
  x == y && z != 2x;
  x := 3;
  if x = 3 y = 1; end for;
  z = (1, {2;
end F;
