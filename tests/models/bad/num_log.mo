model A
  Real x(start = -1, fixed = true);
  Real y = log(x);
equation
  der(x) = 1;
end A;
// expect error R004 line 3
