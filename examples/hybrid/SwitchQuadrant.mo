// Hybrid.Examples.Hybrids.SwitchQuadrant
model SwitchQuadrant
  extends Hybrid.Examples.Hybrids.SwitchQuadrant;
end SwitchQuadrant;
// options --stop-time 1 --tolerance 1e-8
// expect jumps(1) = 19
// expect event 0.1029620 ± 1e-7
// expect event 0.2519808 ± 1e-7
