model A
  Real x, y;
equation
  der(x) = 1;
  der(x) + time = 2;
end A;
// expect error T001 line 2
// expect error T001 line 4
