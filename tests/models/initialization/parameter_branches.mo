model ParameterBranches "initial equations chosen by a parameter: branches of different size are "
  + "decided"
  parameter Integer kind = 2;
  Real x, y, z(start = 3);
initial equation
  if kind == 1 then
    der(x) = 0;
    y = 1;
  elseif kind == 2 then
    x = 5;
  end if;
  y = 2;
equation
  der(x) = -x;
  der(y) = -y;
  der(z) = -z;
  // expect x(0) = 5 ± 1e-12
  // expect y(0) = 2 ± 1e-12
  // expect z(0) = 3 ± 1e-12
  // expect x(1) = 5*exp(-1) ± 1e-4
end ParameterBranches;
