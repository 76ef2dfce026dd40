// A system that becomes singular at an event: the message names the equations that depend on each
// other and the unknowns that they leave open.
// options --stop-time 2
// expect error R001 with singular at time = 1
model SingularAt
  Real a, b, c;
  Real k = if time < 1 then 2 else 1;
equation
  a + k*b + c = 1;
  a + b + c = 3;
  a - k*c = 2;
end SingularAt;
