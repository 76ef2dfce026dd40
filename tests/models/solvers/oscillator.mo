// x = cos(t): crossings of a level, by every solver of high order.
// solvers high
// options --stop-time 10 --tolerance 1e-8
// expect x(10) = cos(10) ± 2e-6
// expect event 2*pi - acos(0.5) ± 1e-6
// expect n(10) = 1
model Oscillator
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = -x;
  when x > 0.5 then
    n = pre(n) + 1;
  end when;
end Oscillator;
