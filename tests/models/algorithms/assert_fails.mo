// expect error R007 with too far
// options --stop-time 3
model AssertFails
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  assert(x < 2, "too far");
end AssertFails;
