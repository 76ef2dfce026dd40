model A
  Real x;
equation
  x := 1;
end A;
// expect error S006 line 4
