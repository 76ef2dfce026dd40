// Hybrid.Examples.Hybrids.Commanded
model Commanded
  extends Hybrid.Examples.Hybrids.Commanded;
end Commanded;
// options --stop-time 3 --tolerance 1e-8
// expect x[1](0.5) = 0.5 ± 1e-6
// expect x[1](1.5) = 1 ± 1e-6
// expect x[1](2.5) = 0.5 ± 1e-6
// expect jumps(3) = 2
