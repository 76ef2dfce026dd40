model ComputedParameter
  parameter Real p = q + 1;
  final parameter Real q = 2*r;
  parameter Real r = 3;
  parameter Real s = if r > 2 then p else 0;
  Real x(start = s, fixed = true);
equation
  der(x) = 0;
end ComputedParameter;
// expect x(0) = 7 ± 0
