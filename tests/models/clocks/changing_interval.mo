// A clock whose interval is computed at each tick: 0.1, 0.2, 0.3, …: ticks at 0, 0.1, 0.3, 0.6,
// 1.0.
// expect n(0.05) = 1 ± 1e-9
// expect n(0.15) = 2 ± 1e-9
// expect n(0.35) = 3 ± 1e-9
// expect n(0.65) = 4 ± 1e-9
// expect n(0.95) = 4 ± 1e-9
// expect n(1.05) = 5 ± 1e-9
// expect h(0.65) = 0.3 ± 1e-9
// expect half(0.65) = 3 ± 1e-9
// options --stop-time 1.2
model ChangingInterval
  Integer n(start = 0), half;
  Real next(start = 0.1), h;
equation
  when Clock(next) then
    n = previous(n) + 1;
    next = n/10;
    h = interval(n);
  end when;
  half = subSample(n, 2);
end ChangingInterval;
