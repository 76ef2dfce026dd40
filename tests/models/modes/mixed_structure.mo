// Mixed structure: the states that fix the causality of the clutch are inlined, and a pendulum with
// a constraint that must be differentiated is integrated beside it.
// expect w1(1.5) = 11/3 + 0.5/3 ± 1e-6
// expect w2(2.5) = 4 ± 1e-6
// expect w1(3) = 5 ± 1e-6
// expect x(3) = -0.176651798 ± 3e-5 [inline-bdf2 1e-3]
// expect max length <= 1.00001
// expect min length >= 0.99999
// options --structure mixed --stop-time 3 --tolerance 1e-8
// solvers auto inline-bdf2
model MixedStructure
  parameter Real J1 = 1, J2 = 2;
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), t;
  Boolean joined = time >= 1 and time < 2;
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), f;
  Real length = sqrt(x^2 + y^2);
equation
  J1*der(w1) = 1 - t;
  J2*der(w2) = t;
  if joined then w1 = w2; else t = 0; end if;
  der(x) = vx; der(y) = vy;
  der(vx) = -f*x; der(vy) = -f*y - 9.81;
  x^2 + y^2 = 1;
end MixedStructure;
