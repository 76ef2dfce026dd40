// expect x(0) = 0.5 ± 1e-9
// expect y(0) = 0 ± 1e-9
// expect min y <= -0.4999
// expect min y >= -0.5000001
// expect energy(3) = 0 ± 1e-4
// Everything is fixed consistently at the start, with the pendulum level. There the constraint
// gives x from y, but not y from x. It falls, and at the bottom x is zero.
model LevelPendulum
  parameter Real L = 0.5, g = 9.81;
  Real x(start = L, fixed = true), y(start = 0, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true);
  Real F;
  Real energy = (vx^2 + vy^2)/2 + g*y;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -x*F;
  der(vy) = -y*F - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end LevelPendulum;
