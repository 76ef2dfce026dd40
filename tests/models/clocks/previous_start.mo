// previous is the start value at the first tick, also of a variable that another equation defines.
// expect y(0.05) = 7 ± 1e-9
// expect y(0.15) = 1 ± 1e-9
// expect n(0.95) = 10 ± 1e-9
// expect first(0.05) = 1 ± 1e-9
// expect first(0.15) = 0 ± 1e-9
// expect t(0.35) = 0.1 ± 1e-12
// options --stop-time 1
model PreviousStart
  Real u(start = 7), y, t;
  Integer n(start = 0);
  Boolean first;
equation
  u = n;
  y = previous(u);
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  first = firstTick(u);
  t = interval(u);
end PreviousStart;
