// Hybrid.Examples.WardLeonard.Drive
model WardLeonard
  extends Hybrid.Examples.WardLeonard.Drive;
end WardLeonard;
// solvers auto dopri5 radau
// options --stop-time 150 --tolerance 1e-8
// expect theta(20) = 9.035075 ± 9e-5
// expect theta(50) = 10.25995 ± 1e-4
// expect theta(60) = 7.176264 ± 7e-5
// expect theta(100) = 5.116726 ± 5e-5
// expect theta(150) = -1.264135 ± 1.3e-5
// expect mot1.rotor.w(50) = 49.21087 ± 5e-4
// expect event 0.0133564 ± 1e-7
// expect event 32.338048
// expect event 129.497103
