// Hybrid.Examples.Circuits.Buck
model Buck
  extends Hybrid.Examples.Circuits.Buck;
end Buck;
// options --stop-time 0.005 --tolerance 1e-6
// expect C.v(0.005) = 12 ± 0.2
// expect min L.i >= -1e-6
