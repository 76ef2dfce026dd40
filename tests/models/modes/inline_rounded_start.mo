// A rounded value changes at the very start: x leaves 0, so integer(x) is -1 at once. Equations
// that are inlined from the start on must see the next change, at x = -1.
// options --structure inline --stop-time 2 --tolerance 1e-8
// solvers auto inline-radau inline-bdf2
// expect y(1.0) = -1 ± 1e-6
// expect y(2.0) = -3 ± 1e-6
// expect z(2.0) = -3 ± 1e-6
// expect event 1.0
model InlineRoundedStart
  Real x(start = 0, fixed = true);
  Real y(start = 0, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(x) = -1;
  der(y) = integer(x);
  der(z) = floor(x);
end InlineRoundedStart;
