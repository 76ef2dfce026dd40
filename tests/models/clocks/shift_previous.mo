// The argument of a conversion may look back: it has its value at the ticks of its own clock.
// expect y(0.06) = 0 ± 1e-9
// expect y(0.17) = 1 ± 1e-9
// expect y(0.27) = 2 ± 1e-9
// options --stop-time 1
model ShiftPrevious
  Integer n(start = 0), y;
equation
  when Clock(0.1) then
    n = previous(n) + 1;
  end when;
  y = shiftSample(previous(n), 1, 2);
end ShiftPrevious;
