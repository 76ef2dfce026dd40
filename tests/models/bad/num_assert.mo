model A
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "x is too large");
end A;
// expect error R007 line 5
