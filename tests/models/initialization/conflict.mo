model Conflict "Start values that contradict the constraint"
  Real x(start = 1, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end Conflict;
// expect error R003 line 2 with y = y.start
