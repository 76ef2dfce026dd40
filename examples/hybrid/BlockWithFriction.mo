// Hybrid.Examples.Machines.BlockWithFriction
model BlockWithFriction
  extends Hybrid.Examples.Machines.BlockWithFriction;
end BlockWithFriction;
// options --stop-time 10 --tolerance 1e-8
// expect event 0.5235988
// expect event 3.7141265
// expect event 6.8550001
// expect event 9.9966137
// expect body.v(2.5) = 1.23768987 ± 1e-5
// expect body.v(5) = -0.91420925 ± 1e-5
// expect body.v(7.5) = 0.33540519 ± 5e-6
