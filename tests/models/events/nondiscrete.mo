// The 1999 report's nondiscrete Booleans follow their expression between events, on the modeller's
// responsibility. There is no event at the crossing.
// expect events = 1
// expect y3(0.2) = sqrt(0.6) ± 1e-9
// expect y3(0.75) = 0
// expect b3(0.25) = 1
// expect b3(0.75) = 0
// expect n(0.75) = 2
// expect flat nondiscrete Boolean b3
model TestDiscrete
  parameter Real y0 = 1;
  Real u = 1 - 2*time, y1, y3;
  Boolean b1;
  nondiscrete Boolean b3;
  nondiscrete Integer n = noEvent(if u > 0 then 1 else 2);
equation
  b1 = u > 0;
  b3 = noEvent(u >= 0);
  y1 = if b1 then y0 else -y0;
  y3 = if b3 then sqrt(u) else 0;
end TestDiscrete;
