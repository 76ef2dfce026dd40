// expect error I021
model A parameter Integer n = 1; Real x[n] = fill(1.0, n); end A;
model Differs
  A a[2](n = {1, 2});
end Differs;
