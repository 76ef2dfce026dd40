// expect residual(1) = 0 ± 1e-8
// expect x(0) = 0 ± 1e-6
// x - sin(x) is flat at zero, where it starts: x grows like the cube root of time, and no
// derivative leads there.
model InfiniteSlope
  Real x(start = 0), residual = x - sin(x) - sin(time);
equation
  x - sin(x) = sin(time);
end InfiniteSlope;
