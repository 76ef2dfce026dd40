// A run that goes on with inline integration right after a time event keeps what the event decided:
// the ramp has begun. The circuit is a voltage multiplier whose diodes leak little from 0.3 s on.
// An integrator of order 2 with fixed steps, in tests/papers/multipliers.py, gives its voltages.
// solvers auto
// expect ramp(0.36) = 0.06 ± 1e-12
// expect p1(0.36) = -8.4633 ± 1e-3
// expect q1(0.36) = -9.9740 ± 1e-3
// expect p2(0.36) = -6.9010 ± 2e-3
// expect q2(0.36) = -5.2868 ± 2e-3
model InlineAfterTimeEvent
  parameter Real a = 0.1, b = 0.2, leak0 = 1e-9;
  Real p1(start = 0, fixed = true), p2(start = 0, fixed = true) "voltages of capacitors";
  Real q1(start = 0, fixed = true), q2(start = 0, fixed = true) "voltages of capacitors";
  Real u "of the source", i, v[4] "of the diodes", s[4], j[4], leak, ramp;
equation
  leak = if time < a + b then 1 else leak0;
  ramp = if time < a + b then 0 else time - (a + b);
  u = (if time < a + b then 0 else 10*sin(314*(time - a - b))) - i;
  v[1] = p1 - u;
  v[2] = u - p1 + q1;
  v[3] = p1 + p2 - u - q1;
  v[4] = u - p1 - p2 + q1 + q2;
  for k in 1:4 loop
    v[k] = if s[k] < 0 then s[k] else leak*s[k];
    j[k] = if s[k] < 0 then leak*s[k] else s[k];
  end for;
  i = j[2] + j[4] - j[1] - j[3];
  1e-5*der(p1) = i;
  1e-5*der(p2) = j[4] - j[3];
  1e-5*der(q1) = j[3] - j[2] - j[4];
  1e-5*der(q2) = -j[4];
  annotation(experiment(StopTime = 0.36));
end InlineAfterTimeEvent;
