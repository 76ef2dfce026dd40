// expect error I010 line 4
model Negative
  constant Integer n = -1;
  Real x[n];
end Negative;
