model ModesThatCannotBe "A brake on a spring that holds, slips or is ideal: to hold and be ideal "
  + "at once is ruled out by the equation of locked"
  parameter Real limit = 1;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), a, sa, f;
  Integer mode(start = 0, fixed = true);
  Boolean ideal, locked, startForward(start = false, fixed = true);
equation
  ideal = limit <= 0;
  der(x) = v;
  der(v) = a;
  a = 10*(time - x) - f;
  startForward = pre(mode) == 0 and (sa > limit or pre(startForward) and sa > limit/2);
  locked = not (ideal or startForward or pre(mode) == 1);
  f = if ideal then 0 else if locked then sa else limit/2;
  a = if locked then 0 else sa - f;
  mode = if ideal then 2 else if (pre(mode) == 1 or startForward) and v > 0 then 1 else 0;
end ModesThatCannotBe;
// options --tolerance 1e-9
// expect event 0.1
// expect x(0.1) = 0 ± 1e-9
// expect x(1) = 0.95 - 0.05*cos(0.9*sqrt(10)) - sin(0.9*sqrt(10))/sqrt(10) ± 1e-6
