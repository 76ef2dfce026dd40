// Closed ideal switches in parallel leave their currents open. Each takes the same share, the
// smallest split, for any tearing.
// expect i1(0.15) = 2.4 ± 1e-9
// expect i2(0.15) = 0 ± 1e-9
// expect i1(0.25) = 1.2 ± 1e-9
// expect i2(0.25) = 1.2 ± 1e-9
// expect i1(0.5) = 0.8 ± 1e-9
// expect i2(0.5) = 0.8 ± 1e-9
// expect i3(0.5) = 0.8 ± 1e-9
// expect j1(0.5) = 2.88 ± 1e-9
// expect j2(0.5) = 2.88 ± 1e-9
// expect v(0.5) = exp(-0.5) ± 1e-6
// solvers auto dopri5 cvode ida radau esdirk
// options --tolerance 1e-8
model ParallelShares
  Real i1, i2, i3, u, i, j1, j2, w, j;
  Real v(start = 1, fixed = true), k1, k2, vs;
equation
  0 = if time < 0.1 then i1 else u;
  0 = if time < 0.2 then i2 else u;
  0 = if time < 0.3 then i3 else u;
  12 = 5*i + u;
  i = i1 + i2 + i3;
  0 = if time < 0.1 then j1 else w;
  0 = if time < 0.1 then j2 else w;
  6 = j + w + 0.1*i;
  j = j1 + j2;
  der(v) = -k1 - k2;
  0 = if time < 0 then k1 else vs;
  0 = if time < 0 then k2 else vs;
  v = k1 + k2 + vs;
end ParallelShares;
