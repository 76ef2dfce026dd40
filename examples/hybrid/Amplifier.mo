// Hybrid.Examples.Circuits.Amplifier
model Amplifier
  extends Hybrid.Examples.Circuits.Amplifier;
end Amplifier;
// options --stop-time 1
// expect opAmp.out.v(1) = -1 ± 1e-6
