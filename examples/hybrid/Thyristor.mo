// Hybrid.Examples.Circuits.Thyristor
model Thyristor
  extends Hybrid.Examples.Circuits.Thyristor;
end Thyristor;
// options --stop-time 0.02 --tolerance 1e-8 --intervals 1000
// expect event 0.00333333 ± 1e-8
// expect event 0.01176369 ± 2e-8
// expect L.i(0.005) = 0.54500186 ± 5e-6
// expect L.i(0.008) = 0.74749204 ± 7e-6
