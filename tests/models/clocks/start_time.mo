// Clocks begin at the start of the run, not at time 0 (section 16.3).
// expect n(0.26) = 1 ± 1e-9
// expect n(0.34) = 1 ± 1e-9
// expect n(0.36) = 2 ± 1e-9
// expect m(0.29) = 0 ± 1e-9
// expect m(0.31) = 1 ± 1e-9
// options --start-time 0.25 --stop-time 1
model StartTime
  Integer n(start = 0), m(start = 0);
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  m = shiftSample(n, 1, 2);
end StartTime;
