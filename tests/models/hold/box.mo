// A ball in a box bounces off its walls ever slower and comes to rest on the floor.
// expect warning R020
// expect y(20) = 0 ± 1e-6
// expect min x >= -1e-6
// expect max x <= 1.000001
// options --stop-time 20
model Box
  parameter Real e = 0.9;
  Real x(start = 0.3, fixed = true), y(start = 0.7, fixed = true), vx(start = 3, fixed = true),
    vy(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 0;
  der(vy) = -9.81;
  when {x <= 0, x >= 1} then
    reinit(vx, -e*pre(vx));
  end when;
  when {y <= 0, y >= 1} then
    reinit(vy, -e*pre(vy));
  end when;
end Box;
