model A
  parameter Integer n;
  Real x[n] = zeros(n);
end A;
// expect error I008 line 3
