// Hybrid.Examples.Hybrids.Pait
model Pait
  extends Hybrid.Examples.Hybrids.Pait;
end Pait;
// options --stop-time 20 --tolerance 1e-10
// expect plant.x[1](5) = -0.94029439 ± 1e-5
// expect plant.x[1](10) = 0.18047722 ± 2e-6
// expect plant.x[2](20) = 0.06596609 ± 7e-7
// expect controller.jumps(20) = 64
