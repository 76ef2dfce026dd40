// expect error I008 line 4 with 'n' has no value
model Missing
  parameter Integer n;
  Real x[n];
end Missing;
