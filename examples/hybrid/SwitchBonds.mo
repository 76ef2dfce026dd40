// Hybrid.Examples.Bonds.SwitchBonds
model SwitchBonds
  extends Hybrid.Examples.Bonds.SwitchBonds;
end SwitchBonds;
// options --stop-time 3 --tolerance 1e-8
// expect C.e(0.9) = 0 ± 1e-9
// expect C.e(2) = 10*(1-exp(-1)) ± 1e-5
// expect C.e(3) = 10*(1-exp(-1)) ± 1e-5
