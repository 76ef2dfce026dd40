// Two equations that contradict each other as soon as time runs.
// expect error R002 with singular
model singular
  Real x, y;
  parameter Real p = 2;
equation
  x + p*y = 1 + time;
  2*x + 2*p*y = 1;
end singular;
