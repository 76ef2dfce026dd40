model A
  parameter Real a = b;
  parameter Real b = a + 1;
  Real x = a;
end A;
// expect error D002 line 2
