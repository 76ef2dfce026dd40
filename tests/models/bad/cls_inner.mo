model A
  outer Real g;
  Real x = g;
end A;
// expect error I009 line 2
