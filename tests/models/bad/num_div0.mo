model A
  parameter Real p = 0;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/p;
end A;
// expect error R004 line 5
