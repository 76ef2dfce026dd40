// expect error F001 line 2 with has 3 equations for 2 unknowns
model Many
  Real x, y;
equation
  x = 1; y = 2; x = y;
end Many;
