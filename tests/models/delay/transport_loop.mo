// A closed loop of two pipes and a mixed volume, each of volume 1: all temperatures tend to the
// mean of the first ones.
// expect Tm(600) = 290 ± 1e-3
// expect T0(600) = 290 ± 1e-3
model TransportLoop
  Real T0, T1, B0, B1, x(start = 0, fixed = true), Tm(start = 300, fixed = true), w;
equation
  der(x) = w;
  w = 0.2 + 0.1*sin(time);
  (B0, T0) = spatialDistribution(Tm, B1, x, w >= 0, {0, 1}, {290, 290});
  (B1, T1) = spatialDistribution(T0, Tm, x, w >= 0, {0, 1}, {280, 280});
  der(Tm) = if w >= 0 then w*(T1 - Tm) else -w*(B0 - Tm);
  annotation(experiment(StopTime = 600));
end TransportLoop;
