// A relay without hysteresis on a plant of relative degree two: ever smaller oscillations end on x
// = 0, v = 0 with u = -0.2.
// expect warning R019
// expect x(40) = 0 ± 1e-6
// expect v(40) = 0 ± 1e-4
// expect u(40) = -0.2 ± 1e-4
// solvers high inline-radau
// options --stop-time 40 --tolerance 1e-6
model SecondOrder
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), u;
equation
  u = if x > 0 then -1 else 1;
  der(x) = v;
  der(v) = -v + u + 0.2;
end SecondOrder;
