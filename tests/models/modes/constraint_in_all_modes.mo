// A constraint of index 3 that holds in all modes, beside a switch: it is reduced for the jump too,
// and the states chosen by value go along from program to program.
// The angle gives the pendulum's motion by another set of equations.
// expect max miss <= 1e-6
// expect w1(1.5) = 11/3 + 0.5/3 ± 1e-6
// expect w1(3) = 5 ± 1e-6
// options --stop-time 3 --tolerance 1e-9
// solvers cvode dopri5 inline-radau
model ConstraintInAllModes
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), t;
  Boolean joined = time >= 1 and time < 2;
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), f;
  Real a(start = 0, fixed = true), w(start = 0, fixed = true);
  Real miss = sqrt((x - cos(a))^2 + (y - sin(a))^2);
equation
  der(w1) = 1 - t;
  2*der(w2) = t;
  if joined then w1 = w2; else t = 0; end if;
  der(x) = vx; der(y) = vy;
  der(vx) = -f*x; der(vy) = -f*y - 9.81;
  x^2 + y^2 = 1;
  der(a) = w; der(w) = -9.81*cos(a);
end ConstraintInAllModes;
