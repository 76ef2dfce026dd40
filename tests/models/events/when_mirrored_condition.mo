// Conditions are the same if the sides of a comparison are exchanged, if it is written with `not`,
// or if summands have another order.
model WhenMirroredCondition
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Real p(start = 0, fixed = true), q(start = 0, fixed = true), r(start = 0, fixed = true);
  Real u = sin(3*time), w = 0.2*time;
equation
  when time > 0.5 then
    x = 0.3*y + 2;
  end when;
  when not time <= 0.5 then
    y = 0.2*z - x;
  end when;
  when 0.5 < time then
    z = x + y + 1;
  end when;
  when u + w > 2*w + 0.4 then
    p = 0.5*q + 1;
  end when;
  when 2*w + 0.4 < w + u then
    q = 0.5*r + 1;
  end when;
  when not w + u <= 0.4 + 2*w then
    r = 0.5*p + 1;
  end when;
end WhenMirroredCondition;

// x = 0.3 y + 2, y = 0.2 z - x, z = x + y + 1: 1.04 y = -1.4
// expect y(0.45) = 0
// expect y(1) = -1.4/1.04 ± 1e-12
// expect x(1) = 2 - 0.42/1.04 ± 1e-12
// expect p(1) = 2 ± 1e-12
// expect q(1) = 2 ± 1e-12
// expect r(1) = 2 ± 1e-12
