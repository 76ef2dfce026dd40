model DiodeCurve "An ideal diode by its curve parameter: half-wave rectifier into a resistor"
  Real u = sin(6.283185307179586*time);
  Real s, v, i;
  Boolean off = s < 0;
equation
  v = if off then s else 0;
  i = if off then 0 else s;
  u = v + 10*i;
end DiodeCurve;
// solvers cvode rk4
// expect i(0.25) = 0.1 ± 1e-9
// expect i(0.75) = 0 ± 0
// expect v(0.75) = -1 ± 1e-9
// expect event 0.5 ± 1e-6
