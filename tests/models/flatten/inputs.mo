// Inputs of the model itself are known.
// expect flat input Real u
// expect flat output Real y
// expect ok
model Inputs
  input Real u;
  output Real y;
equation
  y = 2*u;
end Inputs;
