model A
  Boolean b = time > 1;
  Real x = 1 + b;
end A;
// expect error I101 line 3
