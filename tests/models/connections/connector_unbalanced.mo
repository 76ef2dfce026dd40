// expect error F014 line 2 with 1 flow variable and 2 potential variables
connector Pin
  Real v, w;
  flow Real i;
end Pin;
model Unbalanced
  Pin p;
equation
  p.v = 1;
  p.w = 1;
end Unbalanced;
