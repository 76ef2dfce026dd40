// A second derivative, and a third, without a name for those below it: x'' = -x, z''' = 6.
// expect x(1.0) = cos(1) + 2*sin(1) ± 1e-5
// expect z(2.0) = 8 ± 1e-5
model SecondDerivative
  Real x(start = 1, fixed = true), z(start = 0, fixed = true);
  Real v(start = 2, fixed = true) = der(x);
equation
  der(der(x)) = -x;
  der(der(der(z))) = 6;
end SecondDerivative;
// options --stop-time 2 --tolerance 1e-8
