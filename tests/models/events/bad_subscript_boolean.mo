// A subscript that leaves its array is an error at that time, also for elements of types without
// NaN. In a branch that is not taken, it is not.
// expect error R007 line 8 with out of range 1:2
model BadSubscriptBoolean
  Real x(start = 0, fixed = true);
  Integer i(start = 1, fixed = true);
  Boolean f[2] = {x > 0.5, x > 0.7}, safe = if i <= 2 then f[i] else true;
  Boolean g = f[i];
equation
  der(x) = 1;
  when x > 0.2 then
    i = 2;
  elsewhen x > 0.4 then
    i = 4;
  end when;
end BadSubscriptBoolean;
