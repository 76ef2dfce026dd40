model A
  Real x[2];
equation
  x = 1;
end A;
// expect error I102 line 4
