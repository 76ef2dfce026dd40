model A
  Real x;
equation
  x = 1;
  x = 2;
end A;
// expect error F001 line 1
