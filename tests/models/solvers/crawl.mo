// expect w(1) = 0.6321205588 ± 1e-5
// expect x(1) = 0 ± 1e-3
// expect x(0.3) = 0.3183635586 ± 1e-5
// solvers auto dopri5
// A discontinuity without events that the solution stays at, from 0.4222 on: the step of a
// multistep method collapses there, and millions of steps would
// be needed; auto goes over to an explicit method. Before: x = 1 - 4*t + 2*(1 - exp(-t)).
model Crawl
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(w) = 1 - w;
  der(x) = 2*(noEvent(if x > 0 then -1 else 1) - w);
  annotation(experiment(StopTime = 1));
end Crawl;
