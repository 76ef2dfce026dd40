model A
  Real x[3], y[2];
equation
  x = y;
  y = {1,2};
end A;
// expect error I102 line 4
