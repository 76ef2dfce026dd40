// A four-bar linkage in Cartesian coordinates: one degree of freedom, four candidates, three
// constraints. The short link turns all the way
// round, so that each coordinate comes to rest somewhere. Energy and lengths are the checks.
// expect max energy_error <= 1e-4
// expect max length_error <= 1e-6
// expect equations 1 of x1, y1, x2, y2
model fourbar
  parameter Real a = 1, b = 2.5, c = 2, d = 3;
  Real x1(start = 1), y1(start = 0), x2(start = 1.4375), y2(start = 1.6), u1, v1(start = 4,
    fixed = true), u2, v2;
  Real F1, F2, F3;
  Real energy_error = abs((u1^2 + v1^2 + u2^2 + v2^2)/2 - energy0);
  Real length_error = abs(x1^2 + y1^2 - a^2) + abs((x2 - x1)^2 + (y2 - y1)^2 - b^2) + abs((x2 - d)^2
    + y2^2 - c^2);
  parameter Real energy0(fixed = false);
initial equation
  y1 = 0.1;
  energy0 = (u1^2 + v1^2 + u2^2 + v2^2)/2;
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -F1*x1 + F2*(x2 - x1);
  der(v1) = -F1*y1 + F2*(y2 - y1);
  der(u2) = -F2*(x2 - x1) - F3*(x2 - d);
  der(v2) = -F2*(y2 - y1) - F3*y2;
  x1^2 + y1^2 = a^2;
  (x2 - x1)^2 + (y2 - y1)^2 = b^2;
  (x2 - d)^2 + y2^2 = c^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end fourbar;
