model A
  Real x = (1 + 2;
end A;
// expect error S026 line 2
