// expect g.y(1) = 4
// expect b(1) = 0
// expect x(1) = -3
connector In = input Real;
connector Out = output Real;
block Gain
  In u;
  Out y;
equation
  y = 2*u;
end Gain;
model Open "inputs of the model itself are known: they keep their start values"
  In u(start = 2);
  input Boolean b;
  input Integer n(start = 3);
  Gain g;
  Real x = if b then n else -n;
equation
  connect(u, g.u);
end Open;
