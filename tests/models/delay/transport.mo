// spatialDistribution (section 3.7.4.2): a value that enters at 0 leaves at 1 when x has grown by
// 1. If the flow reverses, it comes back. Forward at speed 1/2 until t = 5, then backward at the
// same speed: in0 = sin(t) leaves at t + 2; after the turn the contents come back out at 0 in
// reverse order, then the values that entered at 1.
// expect y1(1) = 0.5 ± 1e-6
// expect y1(1.5) = 0.25 ± 1e-6
// expect y1(3) = sin(1) ± 1e-5
// expect y1(4.5) = sin(2.5) ± 1e-5
// expect y0(4) = sin(4) ± 1e-5
// expect y0(6) = sin(4) ± 1e-5
// expect y0(6.5) = sin(3.5) ± 1e-5
// expect y1(6) = 6 ± 1e-9
// expect y0(6.9) = sin(3.1) ± 1e-5
// expect y0(7.1) = 5.1 ± 1e-5
// expect y0(8) = 6 ± 1e-5
// expect y0(9.5) = 7.5 ± 1e-5
model Transport
  Real x(start = 0, fixed = true), v;
  Real y0, y1;
equation
  v = if time < 5 then 0.5 else -0.5;
  der(x) = v;
  (y0, y1) = spatialDistribution(sin(time), time, x, v >= 0, {0, 0.5, 1}, {0, 0.5, 1});
  annotation(experiment(StopTime = 10, Tolerance = 1e-7));
end Transport;
