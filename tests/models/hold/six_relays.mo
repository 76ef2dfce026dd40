// Six relays. At 1.0025331 the motion leaves two of three surfaces that it holds, and begins to
// slide along another one. The speeds are constant between such changes: x follows from linear
// systems.
// options --stop-time 1.453 --tolerance 3e-7
// solvers auto cvode radau dopri5 esdirk
// expect warning R019 with x[1] > 0
// expect warning R019 with x[2] > 0
// expect warning R019 with x[3] > 0
// expect warning R019 with x[4] > 0
// expect warning R019 with x[5] > 0
// expect warning R019 with x[6] > 0
// expect x[1](1.1) = -0.286619717 + 2.07635113*(1.1 - 1.002533121) ± 1e-5
// expect x[6](1.1) = -0.657427621*(1.1 - 1.002533121) ± 1e-5
// expect x[1](1.453) = 0 ± 1e-6
// expect x[6](1.453) = 0 ± 1e-6
model SixRelays
  Real x[6](start = {1.32, -0.26, -2.49, -0.71, -1.08, -0.9}, each fixed = true), u[6];
  parameter Real A[6, 6] = {
    {-0.89, 0.87, 0.93, 0, 0.61, -0.46},
    {-0.87, -0.84, 0.96, -0.99, -0.61, -0.1},
    {-0.93, -0.96, -1.57, 0.73, -0.91, 0.8},
    {0, 0.99, -0.73, -1.48, -0.93, 0.12},
    {-0.61, 0.61, 0.91, 0.93, -1.3, -0.45},
    {0.46, 0.1, -0.8, -0.12, 0.45, -0.67}};
equation
  for i in 1:6 loop
    u[i] = if x[i] > 0 then 1 else -1;
  end for;
  der(x) = A*u;
end SixRelays;
