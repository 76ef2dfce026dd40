// Pait's stabilizer at the default tolerance: a model that is not stiff and has many events. Values
// of the case are known to 8 digits.
// expect plant.x[1](5) = -0.94029439 ± 5e-6
// expect plant.x[2](10) = 0.47523781 ± 5e-6
// expect plant.x[1](20) = -0.05625950 ± 5e-6
// expect plant.x[2](20) = 0.06596609 ± 5e-6
// solvers auto dopri5
// options --stop-time 20 --tolerance 1e-6
model PaitAuto
  extends Hybrid.Examples.Hybrids.Pait;
end PaitAuto;
