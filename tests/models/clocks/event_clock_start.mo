// An event clock whose condition is true at the start ticks there; its held value leads back to the
// condition.
// expect n(0.0005) = 1 ± 1e-9
// expect last(0.0005) = 1 ± 1e-9
// expect n(0.9) = 2 ± 1e-9
// expect last(0.9) = 1.5 ± 1e-6
// options --stop-time 1.2
model EventClockStart
  Integer n(start = 0);
  Real angle(start = 1, fixed = true), last(start = 0), offset = hold(last);
  Clock c = Clock(abs(angle - offset) > 0.5);
equation
  der(angle) = 1;
  last = sample(angle, c);
  n = previous(n) + integer(sample(1.0, c));
end EventClockStart;
