// Both c and n are preferred as states. The coefficient in c = n/V varies, so n is the state. Only
// c has a start value, and this value counts.
// expect c(0) = 0.75 ± 1e-12
// expect n(0) = 1.5 ± 1e-12
// expect c(1) = 0.75*exp(-1)*2/3 ± 1e-6
model PreferredStart
  Real V(start = 2, fixed = true);
  Real c(start = 0.75, stateSelect = StateSelect.prefer);
  Real n(stateSelect = StateSelect.prefer);
equation
  der(V) = 1;
  c = n/V;
  der(n) = -n;
end PreferredStart;
