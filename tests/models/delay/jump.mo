// A jump passes through two delays; each arrival is an event, and a relation sees it at once.
// expect event 0.3
// expect event 0.55
// expect event 0.95
// expect events = 3
// expect b(0.55-) = 0
// expect b(0.55) = 1
// expect c(0.95-) = 0
// expect c(0.95) = 1
// expect n(0.95-) = 0
// expect n(1.5) = 1
// expect x(1.5) = 0.55 ± 1e-7
// solvers cvode dopri5 rk4 euler
// options --stop-time 1.5 --tolerance 1e-8
model Jump
  parameter Real T = 0.25;
  Real a, b, c;
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  a = if time > 0.3 then 1 else 0;
  b = delay(a, T);
  c = delay(b, 0.4);
  der(x) = c;
  when c > 0.5 then
    n = pre(n) + 1;
  end when;
end Jump;
