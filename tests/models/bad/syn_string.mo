model A
  parameter String s = "abc;
  Real x = 1;
end A;
// expect error S003 line 2
// expect error S002 line 2
