// expect error I007 with depends on itself
model Cycle
  parameter Integer n = m + 1;
  parameter Integer m = n - 1;
  Real x[n] = fill(1, n);
end Cycle;
