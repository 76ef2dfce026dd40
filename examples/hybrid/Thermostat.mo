// Hybrid.Examples.Control.Thermostat
model Thermostat
  extends Hybrid.Examples.Control.Thermostat;
end Thermostat;
// options --stop-time 20000 --tolerance 1e-8
// expect max T <= 293.15+0.51
// expect T(20000) = 293.15 ± 0.6
// expect cold.y(0) = 1
// expect event 3600*log((10-30)/(15.5-30)) ± 0.01
