// A partition with derivatives and a solver method is accepted by the front end, but not simulated.
// expect error D001 with derivatives that a solver method discretises
model Discretised
  Real x(start = 1), u, y;
equation
  u = sample(time, Clock(Clock(1, 10), "ExplicitEuler"));
  der(x) = u - x;
  y = hold(x);
end Discretised;
