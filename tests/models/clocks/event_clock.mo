// A clock that ticks when a condition becomes true.
// expect n(0.3) = 0 ± 1e-9
// expect n(0.6) = 1 ± 1e-9
// expect n(1.9) = 2 ± 1e-9
// options --stop-time 2
model EventClock
  Integer n(start = 0);
  Clock c = Clock(sin(2*3.14159265358979*time) < 0);
equation
  when c then
    n = previous(n) + 1;
  end when;
end EventClock;
