// A relay that remembers: the sides differ in a discrete variable that whens set. Equivalent
// control 0.4.
// expect warning R019
// expect x(3) = 0 ± 1e-8
// expect y(3) = 0.4*(3 - 1/1.4) - 1/1.4 ± 1e-5
// solvers high rk4 inline-radau inline-bdf2
// options --stop-time 3 --tolerance 1e-8
model WhenRelay
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  discrete Real u(start = -1, fixed = true);
equation
  der(x) = u - 0.4;
  der(y) = u;
  when x <= 0 then
    u = 1;
  elsewhen x > 0 then
    u = -1;
  end when;
end WhenRelay;
