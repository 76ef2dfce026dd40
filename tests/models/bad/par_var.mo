model A
  Real y = time;
  parameter Real k = y;
  Real x = k;
end A;
// expect error F007 line 3
