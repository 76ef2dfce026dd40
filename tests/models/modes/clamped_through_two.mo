// A capacitor clamped by two diodes in a row, the second of which conducts already: the block of
// both has a matching in all combinations, and when the first turns on it is singular, but
// consistent at that instant. It still constrains the capacitor.
// expect v(0.9) = 0.5 - cos(0.9) ± 1e-6
// expect v(2) = 0 ± 1e-8
// expect v(5) = -1 - cos(5) ± 1e-6
// expect event 1.0471975512
// expect event 3.1415926536
// options --stop-time 5 --tolerance 1e-9
// solvers cvode dopri5 inline-radau
model ClampedThroughTwo
  Real v(start = -0.5, fixed = true), a;
  Real i1, i2, s1, s2;
  Boolean off1, off2;
equation
  off1 = s1 < 0; v - a = if off1 then s1 else 0; i1 = if off1 then 0 else s1;
  off2 = s2 < 0; a = if off2 then s2 else 0; i2 = if off2 then 0 else s2;
  der(v) = sin(time) - i1;
  2 + i1 = i2 + a;
end ClampedThroughTwo;
