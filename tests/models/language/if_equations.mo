model IfEquations
  Real x(start = 0, fixed = true), y;
equation
  if x < 0.5 then
    der(x) = 1;
    y = x;
  else
    der(x) = 2;
    y = 2*x;
  end if;
end IfEquations;
// expect event 0.5
// expect x(1) = 1.5 ± 1e-6
// expect y(1) = 3 ± 1e-6
// expect y(0.4) = 0.4 ± 1e-6
