// Hybrid.Examples.Machines.Hopper
model Hopper
  extends Hybrid.Examples.Machines.Hopper;
end Hopper;
// options --stop-time 10 --tolerance 1e-8
// expect event sqrt(1/9.81)
// expect min h >= 0.7
// expect hops(10) = 14
