model StartOfEachOther
  Real x(start = y.start + 1, fixed = true);
  Real y(start = x.start, fixed = true);
equation
  der(x) = 1;
  der(y) = 1;
end StartOfEachOther;
// expect error D002 with start values are given by each other
