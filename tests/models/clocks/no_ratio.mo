// expect error F018 line 6 with is not a whole number
model NoRatio
  Real x, y;
equation
  x = sample(time, Clock(2, 10));
  y = subSample(x) + sample(time, Clock(3, 10));
end NoRatio;
