model PendulumSmall "Index 3, small swings; compared with the angle"
  parameter Real g = 9.81, L = 1;
  Real x(start = 0.1, fixed = true), y(start = -0.99), vx(start = 0, fixed = true), vy, F;
  Real phi(start = asin(0.1), fixed = true), w(start = 0, fixed = true);
  Real err = abs(x - L*sin(phi)), length = sqrt(x*x + y*y);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x*x + y*y = L*L;
  der(phi) = w;
  der(w) = -g/L*sin(phi);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end PendulumSmall;
// expect max err <= 1e-5
// expect max length <= 1.0000001
