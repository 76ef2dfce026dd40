// expect flat assert(x > 0.0, "positive")
// expect flat assert(x > 1.0, "one", AssertionLevel.warning)
// expect ok
model Assertions
  Real x = 2 + time;
equation
  assert(x > 0, "positive");
  assert(x > 1, "one", AssertionLevel.warning);
end Assertions;
