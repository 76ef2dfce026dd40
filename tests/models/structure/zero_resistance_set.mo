// The plan divides by R; setting R to zero plans anew.
// options --tolerance 1e-8 --set R=0
// expect i(1) = cos(1) ± 1e-7
model ZeroResistanceSet
  parameter Real R = 1, C = 1;
  Real u = sin(time), v(start = 0), i;
equation
  R*i = u - v;
  C*der(v) = i;
end ZeroResistanceSet;
