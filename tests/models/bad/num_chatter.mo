model A
  Real x(start = 0.5, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end A;
// options --chattering stop
// expect error R006 line 4
