model A
  Real x;
equation
  x = 1;
// expect error S010
