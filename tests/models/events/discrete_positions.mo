// Boolean and Integer unknowns in any position: under not, with a sign, in sums, on the right, in
// branches of an if-equation; which of several an equation gives follows from
// the others.
// expect b(0) = 1
// expect b(1) = 0
// expect n(0) = 2
// expect n(1) = 3
// expect m(1) = 2
// expect k(1) = -2
// expect c(1) = 1
// expect d(1) = 0
// expect i(0) = 5
// expect i(1) = 4
// expect event 0.4
// solvers high rk4 euler inline-radau
model DiscretePositions
  Real x(start = 0.6, fixed = true);
  Boolean b, c, d, e;
  Integer n, m, k, i;
equation
  der(x) = 1;
  not b = x > 1;
  n - 1 = if x > 1 then 2 else 1;
  n + m = 5;
  3 = 1 - k;
  c = e;
  not d = e;
  c = x > 1;
  if x > 1 then
    i = 4;
  else
    5 = i;
  end if;
end DiscretePositions;
