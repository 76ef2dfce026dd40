model RedundantStartInconsistent "Both start values are fixed, though a constraint leaves one "
  + "free; they do not agree"
  Real a(start = 0, fixed = true), b(start = 4, fixed = true), i, j;
equation
  der(a) = i;
  der(b) = j;
  a + b = 5;
  i - j = 2*(1 - a);
end RedundantStartInconsistent;
// expect error R003 line 3 with contradicts the others
