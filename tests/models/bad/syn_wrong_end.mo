model A
  Real x = 1;
end B;
// expect error S005 line 3
