// A clocked value reaches a continuous equation through hold only.
// expect error F016 with 'der' is in a clocked partition
model NoHold
  Real x(start = 0, fixed = true), y;
equation
  der(x) = y;
  y = sample(time, Clock(0.1));
end NoHold;
