model A
  Real x = time;
  Boolean b = x == 1;
end A;
// expect error I112 line 3
