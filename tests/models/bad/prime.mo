// expect error S021 line 5 with a derivative is der(x), not x'
model Prime
  Real x(start = 1, fixed = true);
equation
  x' = -x;
end Prime;
