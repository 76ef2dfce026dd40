// An assertion of an initial section is judged at the start.
// expect error R007 line 6 with x begins too low (at time = 0)
model AssertAtStartFails
  Real x(start = 0.4, fixed = true), y(start = 1, fixed = true);
initial equation
  assert(x > 0.5, "x begins too low");
initial algorithm
  assert(y > 0.5, "y begins too low");
equation
  der(x) = -1;
  der(y) = -1;
end AssertAtStartFails;
