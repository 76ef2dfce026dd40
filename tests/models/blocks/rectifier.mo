// The half-wave rectifier with an ideal diode: voltage and current are on a curve with parameter s.
// expect event 0.008708140 ± 1e-6
// expect event 0.020999157 ± 1e-6
// expect event 0.028265191 ± 1e-6
// expect event 0.041307834 ± 1e-6
// expect event 0.048107912 ± 1e-6
// expect v(0.1) = 0.456011476 ± 1e-6
// options --stop-time 0.1 --tolerance 1e-9
model rectifier
  parameter Real Ri = 10, RL = 50, C = 0.001;
  Real u0 = sin(2*3.14159*50*time);
  Real v(start = 0, fixed = true);
  Real s, i, u;
  Boolean open;
equation
  open = s < 0;
  u = if open then s else 0;
  i = if open then 0 else s;
  u0 = Ri*i + u + v;
  C*der(v) = i - v/RL;
end rectifier;
