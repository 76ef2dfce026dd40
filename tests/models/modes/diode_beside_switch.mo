// A diode beside a switch that carries current of either sign: while the switch is closed its
// voltage is zero, and both branches of the diode hold.
// expect u(0.5) = 0 ± 1e-9
// expect x(0.5) = 1 - cos(0.5) ± 1e-6
// expect total(1) = sin(1) ± 1e-6
// expect total(4) = sin(4) ± 1e-6
// expect total(7) = sin(7) ± 1e-6
// expect u(4) = 0 ± 1e-9
// expect x(7) = 1 - cos(7) ± 1e-6
// expect total(8.5) = sin(8.5) ± 1e-6
// expect u(8.5) = 0 ± 1e-9
// expect total(10) = 0 ± 1e-9
// expect u(10) = sin(10) ± 1e-6
// expect x(10) = 2 ± 1e-6
// options --stop-time 10 --tolerance 1e-8
model DiodeBesideSwitch
  Real u, total "of both elements together";
  Real iDiode, iSwitch, s;
  Real x(start = 0, fixed = true) "charge that has passed";
  Boolean off, closed = time < 8;
equation
  off = s < 0;
  u = if off then s else 0;
  iDiode = if off then 0 else s;
  0 = if closed then u else iSwitch;
  total = iDiode + iSwitch;
  total = sin(time) - u;
  der(x) = total;
end DiodeBesideSwitch;
