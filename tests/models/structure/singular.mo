model Singular "x is determined twice, y and z together by one equation"
  Real x, y, z;
equation
  x^2 = 2;
  x + x^2 = 3;
  y + z^2 = x;
end Singular;
// expect error T001 with too few equations in the model: 2 unknowns (y, z)
// expect error T001 line 4 with 2 equations for only 1 unknown (x)
