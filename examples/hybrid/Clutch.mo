// Hybrid.Examples.Machines.Clutch
model Clutch
  extends Hybrid.Examples.Machines.Clutch;
end Clutch;
// options --stop-time 3 --tolerance 1e-8
// expect J1.w(1-) = 11 ± 1e-6
// expect J1.w(1.5) = 11/3+1/6 ± 1e-6
// expect J2.w(1.5) = 11/3+1/6 ± 1e-6
// expect J1.w(3) = 5 ± 1e-6
// expect J2.w(3) = 4 ± 1e-6
