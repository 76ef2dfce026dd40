model Simultaneous "A time event and state events at one instant are one event"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  Integer edges(start = 0, fixed = true), ends(start = 0, fixed = true), begins(start = 0,
    fixed = true);
  Boolean b = x > 0.5;
equation
  der(x) = 1;
  der(y) = 2;
  when {x > 0.5, y > 1} then
    n = pre(n) + 1;
  end when;
  when {x > 0.5, time >= 0.5} then
    m = pre(m) + 1;
  end when;
  when sin(x) > sin(0.5) then
    k = pre(k) + 1;
  end when;
  when edge(b) or change(k) then
    edges = pre(edges) + 1;
  end when;
  when initial() then
    begins = pre(begins) + 1;
  end when;
  when terminal() then
    ends = pre(ends) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Simultaneous;
// options --tolerance 1e-8
// solvers cvode dopri5 rk4 euler
// expect event 0.5
// expect n(1) = 1
// expect m(1) = 1
// expect k(1) = 1
// expect begins(0) = 1
// expect events = 2
