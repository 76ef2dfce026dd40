// Two whens of one section give one variable; it keeps its left limit in between.
// expect n(0.5) = 0 ± 0
// expect n(1.5) = 1 ± 0
// expect n(2.5) = 11 ± 0
// expect n(3.5) = 12 ± 0
// expect last(1.5) = 1 ± 1e-6
// expect last(3.9) = 3 ± 1e-6
// expect level(0.5) = 7 ± 0
// expect level(2.5) = 8 ± 0
// solvers cvode dopri5 rk4 euler
// options --stop-time 4
model WhenCounter
  Integer n(start = 0, fixed = true);
  Real last;
  Real level(start = 3, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
algorithm
  when sample(1, 2) then
    n := pre(n) + 1;
    last := x;
  end when;
  when x > 2 then
    n := n + 10;
  end when;
  when initial() then
    level := 7;
  elsewhen x > 2 then
    level := pre(level) + 1;
  end when;
end WhenCounter;
