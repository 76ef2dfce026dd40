// A pendulum in Cartesian coordinates that goes over the top: neither x nor y can be the state for
// good.
// expect max length_error <= 1e-6
// expect max energy_error <= 1e-3 
// expect equations 1 of x, y
// solvers cvode dopri5 ida rkf45 radau
model pendulum
  parameter Real L = 1, m = 1, g = 9.81;
  Real x(start = 1, fixed = true), y;
  Real vx, vy(start = -7, fixed = true);
  Real F;
  Real length_error = abs(sqrt(x^2 + y^2) - L);
  Real energy_error = abs(m/2*(vx^2 + vy^2) + m*g*y - 24.5);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 100, Tolerance = 1e-9));
end pendulum;
