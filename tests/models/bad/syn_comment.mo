model A
  Real x = 1; /* never ends
end A;
// expect error S004 line 2
