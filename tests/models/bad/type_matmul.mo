model A
  Real a[2,3] = ones(2,3), b[2] = {1,2};
  Real c[2] = a*b;
end A;
// expect error I102 line 3
