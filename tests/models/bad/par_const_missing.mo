model A
  constant Real k;
  Real x = k;
end A;
// expect error F009 line 2
// expect error I008 line 3
