// Mixed mode: a coil behind an ideal diode. The current rises from 0 by i' = sin(t), i = 1 -
// cos(t), and would fall below 0 at 2 pi; the diode blocks there
// until the source, which then has a step of -1 at 2 pi, is positive again: sin(t) > 1 never is.
// Beside it a stiff pair and an oscillator are integrated by
// the solver; q' = i gives q = t - sin(t) up to 2 pi.
// expect i(3.2) = 1 - cos(3.2) ± 1e-6
// expect q(6) = 6 - sin(6) ± 2e-6
// expect i(7.2) = 0 ± 1e-9
// expect q(8) = 2*pi ± 4e-6
// expect x(8) = cos(16) ± 2e-5
// expect z(8) = sin(8) ± 1e-5
// expect event 2*pi ± 1e-5
// options --inline i --tolerance 1e-8 --stop-time 8
// solvers dopri5 rkf45 radau esdirk cvode ida auto
model MixedModeDiode
  Real i(start = 0, fixed = true), q(start = 0, fixed = true), u, s;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Boolean off(start = false, fixed = true);
equation
  off = s < 0;
  u = if off then s else 0;
  i = if off then 0 else s;
  der(i) = (if time < 2*3.141592653589793 then sin(time) else sin(time) - 1) - u;
  der(q) = i;
  der(x) = -2*y;
  der(y) = 2*x;
  der(z) = cos(time) - 20*(z - sin(time));
end MixedModeDiode;
