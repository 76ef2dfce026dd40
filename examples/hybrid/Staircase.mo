// Hybrid.Examples.Machines.Staircase
model Staircase
  extends Hybrid.Examples.Machines.Staircase;
end Staircase;
// options --stop-time 4 --tolerance 1e-8
// expect event sqrt(2*0.6/9.81)
