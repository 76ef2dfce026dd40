// An input of the model itself that has a binding follows it; one without keeps its start value.
model BoundInput
  input Real u = 2*time;
  input Real w(start=3);
  Real x(start=0, fixed=true);
equation
  der(x) = u + w;
  // expect x(1) = 4 ± 1e-6
end BoundInput;
