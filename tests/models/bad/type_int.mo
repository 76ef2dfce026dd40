model A
  Integer i = 1.5;
end A;
// expect error I103 line 2
