model A
  Real der = 1;
end A;
// expect error S011 line 2
