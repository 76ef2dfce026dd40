// The head of a pump is the square of its speed. At rest, the head determines no direction in which
// the speed changes; it continues nevertheless, and does not jump.
// expect speed(0.25) = 2*cos(2*pi/9) - 1 ± 1e-6
// expect speed(1) = 1 ± 1e-6
// expect events = 0
model FromRest
  Real head(start = 0, fixed = true), speed(start = 0);
equation
  der(head) = 4;
  head = if noEvent(speed >= 0) then speed^2*(3 + speed) else -speed^2;
end FromRest;
