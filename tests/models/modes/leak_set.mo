// Two capacitors and a diode between them; with a leak nothing jumps and all states stay states,
// though the same model with leak = 0 has structural guards.
// options --set leak=1e-3 --stop-time 0.01 --tolerance 1e-8
// solvers cvode radau
// expect a(0) = 1
// expect b(0) = 0
// expect a(0.001) = 1/3 + 2/3*exp(-1.5) ± 1e-6
// expect b(0.001) = 1/3 - 1/3*exp(-1.5) ± 1e-6
model LeakSet
  parameter Real leak = 0;
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), s, v, i;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else leak*s;
  i = if off then leak*s else s;
  v = a - b;
  der(a) = -i;
  der(b) = i/2;
end LeakSet;
