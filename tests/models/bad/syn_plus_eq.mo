model A
  Real x;
equation
  x + = 2;
end A;
// expect error S001 line 4
