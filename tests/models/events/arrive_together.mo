// A flow is cut off by a state event at the instant at which it becomes zero, and rests there: u >=
// 0 holds throughout, u > 0 ends.
// expect events = 1
// expect event 0.5
// expect n(1) = 0
// expect m(1) = 1
// solvers high euler rk4
model ArriveTogether
  Real x(start = 1, fixed = true), u = if x > 0.5 then x - 0.5 else 0;
  Boolean c = u >= 0, up = u > 0;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = -1;
  when not c then
    n = pre(n) + 1;
  end when;
  when not up then
    m = pre(m) + 1;
  end when;
end ArriveTogether;
