// expect warning T101 line 4
// expect x(1.0) = exp(-1) ± 1e-5
model never
  Real x(start = 1, fixed = true, stateSelect = StateSelect.never);
equation
  der(x) = -x;
end never;
