// Large terms that cancel: their rest in the residual is rounding, not a failure.
// expect q(1.0) = 1e-3 ± 1e-8
// expect p(1.0) = 0.5e-3 ± 1e-8
// options --stop-time 1 --tolerance 1e-9
model linear_rounding
  parameter Real T0 = 3e5;
  Real T(start = T0, fixed = true);
  Real q, p;
equation
  der(T) = 0.002;
  q + p = (T - T0) - 0.5*q;
  p - q = (T0 - T) + 1.5e-3;
end linear_rounding;
