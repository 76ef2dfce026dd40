model A
  Boolean b = time > 1;
  Real y = der(b);
end A;
// expect error I103 line 3
