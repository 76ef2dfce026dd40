// expect error F018 with would tick before its base clock
model BeforeBase
  Real x, y;
equation
  x = sample(time, Clock(2, 10));
  y = backSample(x, 1, 2);
end BeforeBase;
