// Hybrid.Examples.Hybrids.Counter
model Counter
  extends Hybrid.Examples.Hybrids.Counter;
end Counter;
// options --stop-time 3 --tolerance 1e-8
// expect event 0.5
// expect event 1.5
// expect event 2
// expect p(1.5) = 2 ± 1e-6
// expect x[1](3) = 0.5-0.5+0.5-0.5 ± 1e-6
