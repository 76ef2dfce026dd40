// expect error F018 with it must be positive
model NegativeInterval
  Real y;
equation
  y = sample(time, Clock(-0.5));
end NegativeInterval;
