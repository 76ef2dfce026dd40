// expect error F018 line 6 with differs from the clock found elsewhere
model Conflict
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = x + sample(time, Clock(1, 20));
end Conflict;
