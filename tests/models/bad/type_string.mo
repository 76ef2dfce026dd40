model A
  Real x = "a";
end A;
// expect error I103 line 2
