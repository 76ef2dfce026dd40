// expect error I003 line 4 with declared twice
model Duplicate
  Real x = 1;
  Real x = 2;
end Duplicate;
