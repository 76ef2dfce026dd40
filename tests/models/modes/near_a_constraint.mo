// Three diodes close a triangle with a capacitor in it; currents grow from zero. The capacitor is
// discharged at the start, and at the event that closes the triangle, its voltage misses zero by
// the accuracy of events. No impulse may open a diode for that.
// expect c(0.5) = 0 ± 1e-8
// expect c(2) = 0 ± 1e-8
// expect a(2) = 0 ± 1e-8
// expect total(1) = 3 ± 1e-6
// expect total(2) = 6 ± 1e-6
// options --stop-time 2
model NearAConstraint
  Real a, b, c(start = -1, fixed = true) "voltages of two nodes, and between them";
  Real v[3], i[3], s[3] "diodes from ground to a and b, and from a to b";
  Boolean off[3];
  Real total = i[1] + i[2];
equation
  for k in 1:3 loop
    off[k] = s[k] < 0;
    v[k] = if off[k] then s[k] else 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
  v = {-a, -b, a - b};
  c = b - a;
  i[1] - i[3] + der(c) = time + a;
  i[2] + i[3] - der(c) = 2*time + b;
end NearAConstraint;
