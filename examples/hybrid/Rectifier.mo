// Hybrid.Examples.Circuits.Rectifier
model Rectifier
  extends Hybrid.Examples.Circuits.Rectifier;
end Rectifier;
// options --tolerance 1e-8 --stop-time 0.1
// expect event 0.008708140 ± 2e-8
// expect event 0.020999157 ± 3e-8
// expect C.v(0.1) = 0.456011476 ± 1e-5
