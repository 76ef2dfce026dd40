// Hybrid.Examples.Hybrids.Ball
model Ball
  extends Hybrid.Examples.Hybrids.Ball;
end Ball;
// options --stop-time 2 --tolerance 1e-8
// expect event 0.4515236
// expect event 1.0836567
// expect event 1.5261498
// expect x[1](0.4) = 1-9.81*0.08 ± 1e-6
