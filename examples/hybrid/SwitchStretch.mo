// Hybrid.Examples.Hybrids.SwitchStretch
model SwitchStretch
  extends Hybrid.Examples.Hybrids.SwitchStretch;
end SwitchStretch;
// options --stop-time 1 --tolerance 1e-8
// expect jumps(1) = 10
// expect event 0.1103259 ± 1e-7
// expect event 0.2044177 ± 1e-7
// expect event 0.9571516 ± 1e-7
