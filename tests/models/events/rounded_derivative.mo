// A derivative, or a discrete variable with a factor, equals a rounded value alone. The rounded
// value has an equation of its own, so these equations do not define it.
// expect z(2.0) = -3 ± 1e-6
// expect y(2.0) = -1 ± 1e-6
// expect w(2.0) = -3 ± 1e-6
// expect d(1.5) = -1
// expect event 1.0
// options --stop-time 2 --tolerance 1e-8
model RoundedDerivative
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true), z(start = 0, fixed = true), w(start = 0, fixed = true);
  discrete Real d;
equation
  der(x) = -1;
  der(z) = floor(x);
  ceil(x) = der(y);
  der(w) = integer(x);
  2*d = floor(x);
end RoundedDerivative;
