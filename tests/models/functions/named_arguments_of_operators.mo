// Built-in functions and operators take named arguments, in any order.
// expect far(0.8) = 0.3 ± 1e-3
// expect y(0.2) = 0.3 ± 1e-9
// expect late(0.5) = 0.4 ± 1e-6
// expect slopes(0.25) = -0.5 ± 1e-9
// expect rest(1) = 1.5 ± 1e-12
// expect angle(1) = atan2(1, 2) ± 1e-12
// expect whole(1) = 3
// expect ticks(1) = 5
// expect larger(0.2) = 0.4 ± 1e-12
// expect total(1) = 6
model named_arguments_of_operators
  Real near, far;
  Real y = smooth(expr = if time > 0.3 then time else 0.3, p = 0);
  Real late = delay(delayTime = 0.1, expr = time);
  Real slopes = semiLinear(x = time - 0.5, negativeSlope = 2, positiveSlope = 1);
  Real rest = mod(y = 2, x = 5.5);
  Real angle = atan2(y = 1, x = 2);
  Real filled[3] = fill(s = 1.0, n1 = 3);
  Real larger = max(y = 0.4, x = min(x = time, y = 2));
  Real total = sum(A = {1, 2, 3});
  Integer whole = integer(x = 3.7);
  discrete Integer ticks(start = 0, fixed = true);
equation
  (near, far) = spatialDistribution(in0 = time, in1 = 0, x = 2*time, positiveVelocity = true,
    initialPoints = {0.0, 1.0}, initialValues = {0.0, 0.0});
  when sample(interval = 0.2, start = 0.1) then
    ticks = pre(y = ticks) + 1;
  end when;
end named_arguments_of_operators;
