// expect error I001 line 4 with did you mean 'Resistor'?
model Resistor end Resistor;
model Unknown
  Resitor r;
end Unknown;
