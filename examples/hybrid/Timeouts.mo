// Hybrid.Examples.Hybrids.Timeouts
model Timeouts
  extends Hybrid.Examples.Hybrids.Timeouts;
end Timeouts;
// options --stop-time 3 --tolerance 1e-8
// expect event 0.5
// expect event 1.5
// expect event 2
// expect x[1](1.5) = -0.5 ± 1e-6
