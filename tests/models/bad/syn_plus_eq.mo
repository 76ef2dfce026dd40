model A
  Real x;
equation
  x + = 2;
end A;
// expect error S008 line 4
