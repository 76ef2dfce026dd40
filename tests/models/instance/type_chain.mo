// expect flat Real v(quantity = "U", unit = "V", displayUnit = "kV", min = 0.0, max = 9.0, start = 2.0, fixed = true, nominal = 10.0, stateSelect = StateSelect.prefer)
// expect flat Real[3] w(each unit = "m", start = {1.0, 2.0, 3.0})
type Voltage = Real(unit = "V", quantity = "U", start = 1);
type Limited = Voltage(min = 0, max = 10, displayUnit = "kV");
type Vec = Real[3](each unit = "m");
model Types
  Limited v(start = 2, max = 9, fixed = true, nominal = 10, stateSelect = StateSelect.prefer);
  Vec w(start = {1, 2, 3});
equation
  der(v) = 1;
  w = {v, 2*v, 3*v};
end Types;
