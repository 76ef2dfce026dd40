// A switch interrupts the current of a coil. The second switch closes at voltages below -1. While
// it is closed, its voltage is zero, so it opens again: no position agrees with the jump.
// expect i(0.5-) = 1 - exp(-0.5) ± 1e-5
// expect i(1) = 0 ± 1e-9
// solvers auto cvode radau inline-radau
model ContradictedJump
  Real i(start = 0, fixed = true); // warning R028 with during this jump off would change
  Real vn, is, id;
  Boolean closed = time < 0.5, off(start = true, fixed = true);
equation
  der(i) = vn - i;
  is + id = i;
  0 = if closed then 1 - vn else is;
  0 = if pre(off) then id else -vn;
  off = vn > -1;
end ContradictedJump;
