// expect error D003 line 5 with depends on time, which is not a parameter
model TransportVarying
  Real a, b;
equation
  (a, b) = spatialDistribution(1, 2, time, true, {0, 1}, {time, 1});
end TransportVarying;
