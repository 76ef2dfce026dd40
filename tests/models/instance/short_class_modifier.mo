// expect flat parameter Real 'r.R' = R0
model Resistor parameter Real R = 1; end Resistor;
model Short
  parameter Real R0 = 5;
  model Mine = Resistor(R = R0);
  Mine r;
end Short;
