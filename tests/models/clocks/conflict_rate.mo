// expect error F018 with differs from the clock found elsewhere
model ConflictRate
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = subSample(x, 2) + sample(time, Clock(3, 10));
end ConflictRate;
