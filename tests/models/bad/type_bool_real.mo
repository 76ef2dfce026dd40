model A
  Real x = true;
end A;
// expect error I103 line 2
