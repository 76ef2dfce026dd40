// Relations in a section yield events, also those on variables that it assigned before.
// expect y(0.25) = 1 ± 0
// expect y(0.75) = -1 ± 0
// expect k(0.45) = 0 ± 0
// expect k(0.55) = 1 ± 0
// expect big(0.6) = 0 ± 0
// expect big(0.8) = 1 ± 0
// expect event 0.5
// expect event 0.7
// expect events = 2
// solvers cvode dopri5 rk4 euler
model Relations
  Real x(start = 0, fixed = true);
  Real y, z;
  Integer k;
  Boolean big;
equation
  der(x) = 1;
algorithm
  y := 1;
  k := 0;
  if x > 0.5 then
    y := -y;
    k := k + 1;
  end if;
  z := 2 * x;
  z := z + 1;
  big := z > 2.4;
end Relations;
