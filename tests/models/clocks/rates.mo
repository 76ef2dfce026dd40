// Sub-, super- and shifted sampling: clocks by rational factors.
// expect slow(0.35) = 3 ± 1e-9
// expect slow(0.45) = 5 ± 1e-9
// expect fast(0.16) = 2 ± 1e-9
// expect late(0.04) = 0 ± 1e-9
// expect late(0.06) = 1 ± 1e-9
// expect late(0.12) = 1 ± 1e-9
// expect late(0.16) = 2 ± 1e-9
// expect dt(0.5) = 0.025 ± 1e-12
// expect flat // partition 1.1: Clock(1, 10), factor 1, shift 0
// expect flat // partition 1.2: Clock(1, 10), factor 2, shift 0
// expect flat // partition 1.3: Clock(1, 10), factor 1/4, shift 0
// expect flat // partition 1.4: Clock(1, 10), factor 1, shift 1/2
// options --stop-time 1
model Rates
  Integer n(start = 0), slow(start = 0), fast, late(start = 0);
  Real dt;
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  slow = subSample(n, 2);
  fast = superSample(n, 4);
  late = shiftSample(n, 1, 2);
  dt = interval(fast);
end Rates;
