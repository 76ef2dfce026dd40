// Ideal switches in parallel: those that are closed share the current evenly, which is the smallest
// split.
// expect i1(0.4) = 2 ± 1e-9
// expect i1(0.8) = 1 ± 1e-9
// expect i2(0.8) = 1 ± 1e-9
// expect i1(1.5) = 2/3 ± 1e-9
// expect i2(1.5) = 2/3 ± 1e-9
// expect i3(1.5) = 2/3 ± 1e-9
// expect i1(2.5) = 0 ± 1e-9
// expect i2(2.5) = 1 ± 1e-9
// expect i3(2.5) = 1 ± 1e-9
// options --stop-time 3
model ParallelSwitchesShare
  Real i1, i2, i3, v1, v2, v3, u;
  Boolean c1 = time < 2, c2 = time > 0.5, c3 = time > 1;
equation
  0 = if c1 then v1 else i1;
  0 = if c2 then v2 else i2;
  0 = if c3 then v3 else i3;
  v1 = v2;
  v2 = v3;
  u = 6 - 2*(i1 + i2 + i3);
  u = v1 + 1*(i1 + i2 + i3);
end ParallelSwitchesShare;
