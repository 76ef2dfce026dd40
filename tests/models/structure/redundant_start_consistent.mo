model RedundantStartConsistent "Both start values are fixed, though a constraint leaves one free; "
  + "they agree"
  Real a(start = 0, fixed = true), b(start = 5, fixed = true), i, j;
equation
  der(a) = i;
  der(b) = j;
  a + b = 5;
  i - j = 2*(1 - a);
end RedundantStartConsistent;
// options --stop-time 1 --tolerance 1e-9
// expect a(1) = 1 - exp(-1) ± 1e-7
// expect b(1) = 4 + exp(-1) ± 1e-7
// expect equations left out as redundant
