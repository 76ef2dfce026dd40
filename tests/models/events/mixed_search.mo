// A rectifier with an ideal diode as a curve with parameter s: each way of solving the block gives
// the same instants.
// expect event 0.00569345
// expect event 0.0224601398
// expect v(0.00569345) = 19.52726768 ± 1e-5
// options --stop-time 0.1 --tolerance 1e-8 --mixed search
model MixedSearch
  Real u = 20*sin(100*3.141592653589793*time), v(start = 0, fixed = true), i, s, ud;
  Boolean off;
equation
  off = s < 0;
  ud = if off then s else 0;
  i = if off then 0 else s;
  u = 0.5*i + ud + v;
  0.001*der(v) = i - v/50;
end MixedSearch;
