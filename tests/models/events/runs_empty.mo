// A tank runs empty by Torricelli's law: h = (1 - t/4)^2, so h reaches zero without a slope, and
// sqrt(h) has no value beyond. There h > 0 becomes false, and the tank stays empty.
// expect h(2.0) = 0.25 ± 1e-5 [inline-radau 1e-4, inline-bdf2 1e-4]
// expect h(3.5) = 0.015625 ± 1e-5 [inline-radau 1e-4, inline-bdf2 1e-4]
// expect h(5.0) = 0 ± 1e-9
// expect q(5.0) = 0
// expect events = 1
// options --stop-time 6
// solvers auto cvode ida radau esdirk dopri5 rkf45 rk4 inline-radau inline-bdf2
model RunsEmpty
  parameter Real k = 0.5;
  Real h(start = 1, fixed = true) "level";
  Real q "flow";
equation
  q = if h > 0 then k*sqrt(h) else 0;
  der(h) = -q;
end RunsEmpty;
