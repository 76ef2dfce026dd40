model BlockWithSwitch "A coefficient that vanishes in one branch: the switch closes at 0.5"
  Boolean closed = time >= 0.5;
  Real i, u, q(start = 0, fixed = true);
equation
  10 = 2*i + u;
  0 = if closed then u else i;
  der(q) = i;
end BlockWithSwitch;
// options --tolerance 1e-9 --stop-time 1
// expect i(0.25) = 0 ± 1e-9
// expect u(0.25) = 10 ± 1e-9
// expect i(1) = 5 ± 1e-9
// expect u(1) = 0 ± 1e-9
// expect q(1) = 2.5 ± 1e-6
// expect event 0.5
