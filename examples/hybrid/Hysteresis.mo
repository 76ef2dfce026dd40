// Hybrid.Examples.Hybrids.Hysteresis
model Hysteresis
  extends Hybrid.Examples.Hybrids.Hysteresis;
end Hysteresis;
// options --stop-time 1 --tolerance 1e-8
// expect event 0.1
// expect event 0.3
// expect event 0.9
// expect jumps(1) = 5
// expect max x[1] <= 0.1000001
