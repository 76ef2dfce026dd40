// Two spirals that act on each other a little. The sum of abs(x) falls by the sum of u^2 a second,
// so that all states come to the origin.
// expect warning R019 with x[1] > 0
// expect warning R019 with x[2] > 0
// expect warning R019 with x[3] > 0
// expect warning R019 with x[4] > 0
// expect x[1](4) = 0 ± 1e-7
// expect x[2](4) = 0 ± 1e-7
// expect x[3](4) = 0 ± 1e-7
// expect x[4](4) = 0 ± 1e-7
// solvers auto cvode ida esdirk radau dopri5 rkf45
// options --stop-time 4
model SpiralFour
  Real x[4](start = {3, 3, 2, 1}, each fixed = true), u[4];
  parameter Real A[4, 4] =
    {{-1, -2, 0.1, 0}, {2, -1, 0, 0.1}, {-0.1, 0, -1, -2}, {0, -0.1, 2, -1}};
equation
  for i in 1:4 loop
    u[i] = if x[i] > 0 then 1 else -1;
  end for;
  der(x) = A*u;
end SpiralFour;
