// Flow through an orifice into a small volume: once the pressures agree, the step of multistep
// methods collapses at the sharp bend of the characteristic, where
// the difference of pressures is known to few digits. Without the bend the pressure stays where
// 1e9*dp/sqrt(1e-3) = 1e3*cos(t).
// solvers auto radau
// expect p(10) = 1e5 ± 1e-3
// expect w(10) = 1 - exp(-10) ± 1e-5
model SharpBend
  Real p(start = 2e5, fixed = true, nominal = 1e5), w(start = 0, fixed = true);
  Real dp = p - 1e5;
equation
  der(p) = -1e9*dp/(dp^2 + 1e-6)^0.25 + 1e3*cos(time);
  der(w) = 1 - w;
  annotation(experiment(StopTime = 10));
end SharpBend;
