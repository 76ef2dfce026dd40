// A blade that turns while it slides, free of forces: a constraint on velocities alone, in which
// now one, now the other cannot be the state.
// It moves in a circle at constant speed.
// expect x(3.0) = 2/1.5*sin(4.5) ± 1e-6
// expect y(3.0) = 2/1.5*(1 - cos(4.5)) ± 1e-6
// expect x(10.0) = 2/1.5*sin(15) ± 1e-5
// expect equations 1 of vx, vy
model knife_edge
  parameter Real omega = 1.5, m = 2;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), vx(start = 2, fixed = true), vy,
    theta = omega*time, N;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = N*sin(theta);
  m*der(vy) = -N*cos(theta);
  vx*sin(theta) = vy*cos(theta);
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end knife_edge;
