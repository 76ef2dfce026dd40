// expect error I001 line 5 with there is no variable 't' here; did you mean 'time'?
model Forced
  Real x(start = 0, fixed = true);
equation
  der(x) = cos(t);
end Forced;
