// Hybrid.Examples.Hybrids.DistributedHysteresis
model DistributedHysteresis
  extends Hybrid.Examples.Hybrids.DistributedHysteresis;
end DistributedHysteresis;
// options --stop-time 1 --tolerance 1e-8
// expect event 0.1
// expect event 0.3
// expect event 0.9
// expect x(0.2) = 0 ± 1e-6
// expect x(0.4) = 0 ± 1e-6
