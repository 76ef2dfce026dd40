// expect error F017 line 6 with the factor of superSample is not given
model NoFactor
  Real x, y;
equation
  x = sample(time, Clock(2, 10));
  y = superSample(x);
end NoFactor;
