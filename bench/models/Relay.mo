model Relay "A relay with hysteresis in a loop with a plant of second order: 1,000,000 state events"
  parameter Real h = 0.01;
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  up = x < -h or pre(up) and x < h;
  der(x) = v;
  der(v) = (if up then 1 else -1) - 4*v;
  annotation(experiment(StopTime = 420000));
end Relay;
