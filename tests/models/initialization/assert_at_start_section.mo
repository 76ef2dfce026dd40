// The same of an initial algorithm.
// expect error R007 line 8 with y begins too low (at time = 0)
model AssertAtStartSection
  Real x(start = 1, fixed = true), y(start = 0.4, fixed = true);
initial equation
  assert(x > 0.5, "x begins too low");
initial algorithm
  assert(y > 0.5, "y begins too low");
equation
  der(x) = -1;
  der(y) = -1;
end AssertAtStartSection;
