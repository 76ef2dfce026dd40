// A branch that a size rules out may hold subscripts that do not exist, as in expressions and
// equations.
// expect y(0) = 3 ± 1e-12
model BranchRuledOut
  parameter Real table[:, 2] = fill(0.0, 0, 2);
  Real y;
algorithm
  if size(table, 1) > 1 then
    y := table[2, 1];
  elseif size(table, 1) == 0 then
    y := 3;
  else
    y := table[1, 1];
  end if;
end BranchRuledOut;
