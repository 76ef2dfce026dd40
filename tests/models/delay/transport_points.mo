// expect error I102 line 5 with sizes differ
model TransportPoints
  Real a, b;
equation
  (a, b) = spatialDistribution(1, 2, time, true, {0, 1}, {0, 0.5, 1});
end TransportPoints;
