model AlwaysTwice "Both variables of a constraint are asked to be states"
  Real a(stateSelect = StateSelect.always);
  Real b(stateSelect = StateSelect.always);
  Real f;
equation
  der(a) = f;
  der(b) = -2*f;
  a + 3*b = 1;
end AlwaysTwice;
// expect error T007 with StateSelect.always
