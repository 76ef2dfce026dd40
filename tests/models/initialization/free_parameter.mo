model FreeParameter "A parameter is computed from an initial equation"
  parameter Real k(fixed = false, start = 1);
  Real x(start = 1, fixed = true);
initial equation
  der(x) = -3;
equation
  der(x) = -k*x;
end FreeParameter;
// expect x(1) = exp(-3) ± 1e-5
