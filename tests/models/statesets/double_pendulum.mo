// Two links in Cartesian coordinates. The same motion in angles (Lagrange's equations) is the
// second method.
// expect max ex <= 1e-4
// expect max ey <= 1e-4
// expect max energy_error <= 1e-4
// expect equations 1 of x[2], y[2]
model double_pendulum
  parameter Real g = 9.81;
  Real x[2](start = {1, 1}), y[2](start = {0, 1}), vx[2](each start = 0), vy[2](each start = 0),
    F[2];
  Real a(start = 1.5707963267948966, fixed = true), b(start = 3.141592653589793, fixed = true),
    wa(start = 0, fixed = true), wb(start = 0, fixed = true);
  Real ex = abs(x[2] - sin(a) - sin(b)), ey = abs(y[2] + cos(a) + cos(b));
  Real energy_error = abs(0.5*(vx*vx + vy*vy) + g*(y[1] + y[2]) - g);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx[1]) = -F[1]*x[1] + F[2]*(x[2] - x[1]);
  der(vy[1]) = -F[1]*y[1] + F[2]*(y[2] - y[1]) - g;
  der(vx[2]) = -F[2]*(x[2] - x[1]);
  der(vy[2]) = -F[2]*(y[2] - y[1]) - g;
  x[1]^2 + y[1]^2 = 1;
  (x[2] - x[1])^2 + (y[2] - y[1])^2 = 1;
  der(a) = wa;
  der(b) = wb;
  2*der(wa) + cos(a - b)*der(wb) = -sin(a - b)*wb^2 - 2*g*sin(a);
  cos(a - b)*der(wa) + der(wb) = sin(a - b)*wa^2 - g*sin(b);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end double_pendulum;
