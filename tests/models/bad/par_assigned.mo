model A
  parameter Real k = 1;
equation
  k = 2;
end A;
// expect error F001 line 1
