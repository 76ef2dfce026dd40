model A
  Real x, y, z;
equation
  x = 1;
  x = 2 + 0*time;
  y + z = 3;
end A;
// expect error T001 line 2
// expect error T001 line 4
