// The start value of a parameter that initialization determines is a call with constants only.
// expect x(1.0) = 4 ± 1e-6
model StartOfConstants
  function norm
    input Real v[:];
    output Real y = sqrt(v*v);
  algorithm
  end norm;
  constant Real c[3] = {1, 2, 2};
  parameter Real p(start = norm(c), fixed = false);
  Real x(start = 1, fixed = true);
initial equation
  p^2 = 9;
equation
  der(x) = p;
end StartOfConstants;
