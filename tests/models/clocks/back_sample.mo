// A clock shifted by more than an interval, and back: start values until the argument has ticked
// (section 16.5.2).
// expect late(0.1) = 0 ± 1e-9
// expect late(0.16) = 2 ± 1e-9
// expect back(0.05) = 5 ± 1e-9
// expect back(0.25) = 2 ± 1e-9
// expect flat // partition 1.2: Clock(1, 10), factor 1, shift 3/2
// options --stop-time 1
model BackSample
  Integer n(start = 0), late, u(start = 5), back;
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  late = shiftSample(n, 3, 2);
  u = late;
  back = backSample(u, 3, 2);
end BackSample;
