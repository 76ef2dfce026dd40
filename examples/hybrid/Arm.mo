// Hybrid.Examples.Machines.Arm
model Arm
  extends Hybrid.Examples.Machines.Arm;
end Arm;
// options --stop-time 30 --tolerance 1e-7
// expect link[1].w(30) = 0 ± 1e-6
// expect link[6].w(30) = 0 ± 1e-6
// expect max energy <= 2*(1+0.64+0.36+0.16+0.04+0.01)/2*1.000001
