model A
  Real x, y;
equation
  x = 1;
end A;
// expect error F001 line 1
