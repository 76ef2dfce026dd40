model A
  Real x = 1;
  Integer x = 2;
end A;
// expect error I003 line 3
