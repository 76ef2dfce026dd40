// expect error F001 with has 4 equations for 2 unknowns
model DeterminedTwice
  Real x = 1, y;
equation
  x = 2;
  der(y) = 1;
algorithm
  y := 2;
end DeterminedTwice;
