model A
  parameter Integer n = -1;
  Real x[n] = zeros(n);
end A;
// expect error I010 line 3
