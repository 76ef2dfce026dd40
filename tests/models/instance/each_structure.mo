// expect flat Real[3] 'a[2].x'
// expect ok
model A parameter Integer n = 1; Real x[n] = fill(1.0, n); end A;
model Same
  A a[2](each n = 3);
  A b[2](n = {2, 2});
end Same;
