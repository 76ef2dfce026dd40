model A
  Real x = asin(2*time);
end A;
// expect error R004 line 2
