model A
  extends A;
  Real x = 1;
end A;
// expect error I004 line 2
