model A
  Integer n = integer(time);
  Real x[n];
equation
  x = zeros(n);
end A;
// expect error I014 line 3
// expect error I014 line 5
