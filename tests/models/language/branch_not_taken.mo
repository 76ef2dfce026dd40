model BranchNotTaken "Branches that a structural parameter rules out may hold sizes and "
  + "subscripts that do not exist"
  parameter Integer n = 1;
  parameter Real a = 1, b = 3;
  final parameter Real p[n] = if n > 1 then linspace(a, b, n) else {(a + b)/2};
  Real x[n](start = p, each fixed = true);
  Real last = if n >= 2 then x[2] else x[1];
equation
  der(x) = -p;
end BranchNotTaken;
// expect x[1](1) = 0 ± 1e-9
// expect last(0.5) = 1 ± 1e-9
