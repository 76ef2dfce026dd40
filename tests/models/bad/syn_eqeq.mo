model A
  Real x;
equation
  x == 1;
end A;
// expect error S007 line 4
