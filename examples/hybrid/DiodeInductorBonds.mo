// Hybrid.Examples.Bonds.DiodeInductorBonds
model DiodeInductorBonds
  extends Hybrid.Examples.Bonds.DiodeInductorBonds;
end DiodeInductorBonds;
// options --stop-time 0.2 --tolerance 1e-8
// expect event 0.0101191 ± 1e-7
// expect event 0.0428408 ± 1e-7
// expect C.e(0.05) = 8.69557832 ± 9e-5
// expect C.e(0.2) = 7.41410349 ± 8e-5
