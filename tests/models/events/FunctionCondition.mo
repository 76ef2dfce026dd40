// Results of functions of continuous arguments as conditions of when-clauses.
model FunctionCondition
  function above
    input Real x;
    input Real limit;
    output Boolean is_above;
  algorithm
    is_above := x > limit;
  end above;
  type Level = enumeration(low, middle, high);
  function level
    input Real x;
    output Level l;
  algorithm
    l := if x < 0.25 then Level.low elseif x < 0.75 then Level.middle else Level.high;
  end level;
  function whole
    input Real x;
    output Integer n;
  algorithm
    n := integer(floor(x));
  end whole;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean b;
  Level l;
  Integer k;
  discrete Real first(start = -1, fixed = true), second(start = -1, fixed = true);
  discrete Real third(start = -1, fixed = true), fourth(start = -1, fixed = true);
  discrete Integer levels(start = 0, fixed = true);
  Integer steps(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 2*time;
  when above(y, 0.5) then // y = time^2
    first = time;
  end when;
  b = above(x, 0.6);
  when b then
    second = time;
  end when;
  when {not b and above(x, 0.55), above(x, 0.3) and y > 0.49} then
    third = time;
  end when;
  l = level(x);
  when {l == Level.middle, l == Level.high} then
    levels = pre(levels) + 1;
  end when;
  k = whole(4*x);
  when k > 2 then
    fourth = time;
  end when;
algorithm
  when {above(2*x, 0.3), whole(10*x) >= 4} then
    steps := pre(steps) + 1;
  end when;
  annotation(experiment(StopTime = 0.9));
end FunctionCondition;
// expect first(0.9) = sqrt(0.5) ± 1e-6
// expect second(0.9) = 0.6 ± 1e-6
// expect third(0.9) = 0.7 ± 1e-6
// expect fourth(0.9) = 0.75 ± 1e-6
// expect levels(0.9) = 2
// expect steps(0.9) = 2
// expect event 0.55
