model A
  Real x(start = 1);
equation
  x*x = -1 - time;
end A;
// expect error R002 line 4
