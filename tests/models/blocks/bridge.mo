// Four ideal diodes, in a block with four relations.
// expect event 0.00569345 ± 1e-6
// expect event 0.01317810 ± 1e-6
// expect event 0.01567902 ± 1e-6
// expect event 0.02318127 ± 1e-6
// expect v(0.02) = 17.9283885 ± 1e-5
// expect v(0.1) = 17.9284587 ± 1e-5
// options --stop-time 0.1 --tolerance 1e-9
model bridge
  parameter Real Ri = 0.5, R = 50, C = 0.001, pi = 3.141592653589793;
  Real v(start = 0, fixed = true);
  Real s[4], i[4], u[4];
  Boolean open[4];
  Real a, b, is;
equation
  for k in 1:4 loop
    open[k] = s[k] < 0;
    u[k] = if open[k] then s[k] else 0;
    i[k] = if open[k] then 0 else s[k];
  end for;
  20*sin(100*pi*time) = Ri*is + a - b;
  u[1] = a - v;
  u[2] = b - v;
  u[3] = -a;
  u[4] = -b;
  is = i[1] - i[3];
  is = i[4] - i[2];
  C*der(v) = i[1] + i[2] - v/R;
end bridge;
