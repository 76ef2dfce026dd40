// Two diodes side by side in opposite directions are a wire. Where one takes over from the other,
// both stand at their corner, and only
// the limit of the jump for a vanishing step, not what the states do within it, tells which
// branches hold. The twin has the wire.
// expect max worst <= 1e-12
// expect events = 7
// solvers cvode dopri5 radau inline-radau
model AntiparallelDiodes
  Real v(start = 0.27, fixed = true), i(start = 0, fixed = true) "with diodes";
  Real w(start = 0.27, fixed = true), j(start = 0, fixed = true) "with a wire";
  Real s1, s2, b, i2, j2;
  Boolean off1, off2;
  Real worst(start = 0, fixed = true) "squared difference, summed up";
equation
  off1 = s1 < 0; b = if off1 then s1 else 0;
  off2 = s2 < 0; -b = if off2 then s2 else 0;
  i2 = (if off1 then 0 else s1) - (if off2 then 0 else s2);
  1.08*der(v) = (1.07*sin(1.58*time) - v)/1.68 - i - i2;
  v - b = 3.74*sin(3.95*time) + 1.79*i2;
  0.76*der(i) = v;
  1.08*der(w) = (1.07*sin(1.58*time) - w)/1.68 - j - j2;
  w = 3.74*sin(3.95*time) + 1.79*j2;
  0.76*der(j) = w;
  der(worst) = (v - w)^2;
  annotation(experiment(StopTime = 5));
end AntiparallelDiodes;
