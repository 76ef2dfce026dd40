// An assertion of an initial section is one about the start alone; x and y fall below these bounds
// later.
// expect x(1) = 0 ± 1e-6
// expect y(1) = 0 ± 1e-6
model AssertAtStart
  Real x(start = 1, fixed = true), y(start = 1, fixed = true);
initial equation
  assert(x > 0.5, "x begins too low");
initial algorithm
  assert(y > 0.5, "y begins too low");
equation
  der(x) = -1;
  der(y) = -1;
end AssertAtStart;
