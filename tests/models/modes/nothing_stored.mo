// Modes of a circuit that stores nothing: there is nothing to jump.
// expect u(0.5) = 2*sin(0.5)/3 ± 1e-9
// expect u(1.5) = 0 ± 1e-9
// expect total(1.5) = sin(1.5) ± 1e-9
// expect u(2.5) = 0 ± 1e-9
// expect u(3.5) = 2*sin(3.5)/3 ± 1e-9
// options --stop-time 4 --intervals 400 --structure modes
model NothingStored
  Real u, i1, i2, total = i1 + i2;
  Boolean c1 = time > 1 and time < 3, c2 = time > 2 and time < 3;
equation
  0 = if c1 then u else i1;
  0 = if c2 then u else i2;
  sin(time) - u = total + u/2;
end NothingStored;
