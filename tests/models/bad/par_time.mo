model A
  parameter Real k = time;
  Real x = k;
end A;
// expect error F007 line 2
