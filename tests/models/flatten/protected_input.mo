// Only public inputs of the model itself are given from outside (section 4.7): this one stands
// between a condition and an equation.
// expect y(1) = 2 ± 1e-9
model ProtectedInput
  connector RealInput = input Real;
  connector RealOutput = output Real;
  parameter Boolean use = false;
  RealOutput w if use;
  RealOutput y;
protected
  RealInput w_internal;
equation
  connect(w, w_internal);
  w_internal = 2*time;
  y = w_internal;
end ProtectedInput;
