// Hybrid.Examples.Circuits.DiodeInductor
model DiodeInductor
  extends Hybrid.Examples.Circuits.DiodeInductor;
end DiodeInductor;
// options --stop-time 0.2 --tolerance 1e-8
// expect event 0.0101191 ± 1e-7
// expect event 0.0428408 ± 1e-7
// expect event 0.0490111 ± 1e-7
// expect event 0.0623754 ± 1e-7
// expect C.v(0.05) = 8.69557832 ± 9e-5
// expect C.v(0.1) = 7.36065848 ± 8e-5
// expect C.v(0.2) = 7.41410349 ± 8e-5
