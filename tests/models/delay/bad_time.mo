// expect error D003 line 5 with delay(expression, time, longest)
model BadTime
  Real x = time;
equation
  assert(delay(x, x) > -1, "never");
end BadTime;
