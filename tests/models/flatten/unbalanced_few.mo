// expect error F001 line 2 with has 1 equation for 2 unknowns
model Few
  Real x, y;
equation
  x = 1;
end Few;
