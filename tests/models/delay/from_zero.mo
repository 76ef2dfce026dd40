// The pantograph equation: the delay grows from zero, so the past begins at once.
// With x' = -a x(t/2), x = sum of (-a t)^k / (k! 2^(k (k - 1)/2)).
// The sum at t = 4 is
// expect x(4) = -0.2586969521350849 ± 1e-5
// options --stop-time 4 --tolerance 1e-7
model FromZero
  parameter Real a = 0.7;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*delay(x, time/2, 10);
end FromZero;
