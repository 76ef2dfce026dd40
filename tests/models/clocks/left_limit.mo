// A step that comes together with a tick is seen at the next tick.
// expect y(0.55) = 0 ± 1e-9
// expect y(0.65) = 1 ± 1e-9
// options --stop-time 1
model LeftLimit
  Real y;
  Real u = if time < 0.5 then 0 else 1;
equation
  y = sample(u, Clock(1, 10));
end LeftLimit;
