// Every second tick of an event clock, the first left out: of its ticks at 0.125, 0.375, 0.625,
// 0.875 those at 0.375 and 0.875 are taken.
// expect n(0.7) = 3 ± 1e-9
// expect k(0.3) = 0 ± 1e-9
// expect k(0.4) = 1 ± 1e-9
// expect k(0.8) = 1 ± 1e-9
// expect k(0.9) = 2 ± 1e-9
// expect s(1.0) = 4 ± 1e-9
// expect h(1.0) = 0.25 ± 1e-6
// options --stop-time 1
model DerivedEventClock
  Integer n(start = 0), late, s, k(start = 0);
  Real h;
  Real phase(start = 0, fixed = true);
  Clock c = Clock(sin(2*3.14159265358979*phase) < -1e-9, startInterval = 0.1);
equation
  der(phase) = 4;
  when c then
    n = previous(n) + 1;
    h = interval(n);
  end when;
  late = shiftSample(n, 1);
  s = subSample(late, 2);
  k = previous(k) + (if s > 0 then 1 else 0);
end DerivedEventClock;
