model A
  Real x = 1.2.3;
  Real y = 3abc;
end A;
// expect error S002 line 2
// expect error S017 line 3
