// Hybrid.Examples.Circuits.Bridge
model Bridge
  extends Hybrid.Examples.Circuits.Bridge;
end Bridge;
// options --stop-time 0.1 --tolerance 1e-8
// expect event 0.00569345 ± 1e-8
// expect event 0.01317810 ± 2e-8
// expect event 0.01567902 ± 2e-8
// expect event 0.02318127 ± 3e-8
// expect C.v(0.02) = 17.9283885 ± 1.8e-4
// expect C.v(0.1) = 17.9284587 ± 1.8e-4
