model A
  parameter Real k = 1;
  Real x, y;
equation
  x + y = time;
  x + k*y = 1;
end A;
// expect error R002 line 6
