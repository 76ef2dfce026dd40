// A coefficient that is zero: the equation gives no current but a constraint, and the capacitor's
// current is that of the source.
// options --tolerance 1e-8
// expect i(1) = cos(1) ± 1e-7
model ZeroResistance
  parameter Real R = 0, C = 1;
  Real u = sin(time), v(start = 0), i;
equation
  R*i = u - v;
  C*der(v) = i;
end ZeroResistance;
