model SameCondition "A loop of two whens under one condition is solved: y = u/(1 - k1 k2)"
  parameter Real k1 = 0.5, k2 = 0.4;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real u = 3;
equation
  when time >= 0.5 then
    x = k1*y;
    y = k2*x + u;
  end when;
end SameCondition;
// expect y(0.4) = 0 ± 0
// expect y(1) = 3/(1-0.2) ± 1e-9
// expect x(1) = 0.5*3/(1-0.2) ± 1e-9
