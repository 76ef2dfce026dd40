model A
  Integer i = 1;
  Real y = der(i);
end A;
// expect error I103 line 3
