// The plan was made for R = 0; setting R plans anew.
// options --tolerance 1e-8 --set R=1
// expect v(1) = (sin(1) - cos(1) + exp(-1))/2 ± 1e-6
model ZeroResistanceLeft
  parameter Real R = 0, C = 1;
  Real u = sin(time), v(start = 0), i;
equation
  R*i = u - v;
  C*der(v) = i;
end ZeroResistanceLeft;
