model ParameterCycle
  parameter Real p = 2*q;
  parameter Real q = p + 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = p*x;
end ParameterCycle;
// expect error D002 line 2 with its own value
