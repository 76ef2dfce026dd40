model A
  Real x[3] = {1,2,3};
  Real y = x[4];
end A;
// expect error I109 line 3
