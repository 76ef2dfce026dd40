model A
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(x) - 1;
end A;
// expect error R004 line 4
