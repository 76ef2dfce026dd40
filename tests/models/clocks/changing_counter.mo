// A clock whose interval counter is computed at each tick: intervals 0.2, 0.3, 0.4, …, so ticks at
// 0, 0.2, 0.5, 0.9, 1.4.
// expect n(0.1) = 1
// expect n(0.25) = 2
// expect n(0.55) = 3
// expect n(0.85) = 3
// expect n(0.95) = 4
// expect n(1.35) = 4
// expect n(1.45) = 5
// expect h(0.95) = 0.4 ± 1e-9
// options --stop-time 1.5
model ChangingCounter
  Integer counter(start = 1), n(start = 0);
  Real h;
equation
  when Clock(counter, 10) then
    counter = previous(counter) + 1;
    n = previous(n) + 1;
    h = interval(n);
  end when;
end ChangingCounter;
