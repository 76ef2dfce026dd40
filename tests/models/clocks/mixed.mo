// expect error F016 line 6 with is both clocked and continuous
model Mixed
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = sample(x, Clock(0.1)) + hold(y);
end Mixed;
