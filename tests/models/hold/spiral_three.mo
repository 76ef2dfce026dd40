// Three relays, each of which acts on all states. At 1.5 the motion comes to x3 = 0 and slides
// there
// with u3 = 0; at 1.5 + 1.5/1.9 to x1 = 0, at which two relations change at one instant and neither
// belongs to the surface of the other. On both surfaces u1 = -0.09/1.81 and u3 = 0.9 - 0.9*u1. Then
// the state rests at the origin.
// expect warning R019 with x[3] > 0
// expect warning R019 with x[1] > 0
// expect warning R019 with x[2] > 0
// expect x[1](2) = 1.5 - 1.9*0.5 ± 1e-6
// expect x[2](2) = 0.5 - 0.1*0.5 ± 1e-6
// expect x[1](2.4) = 0 ± 1e-7
// expect x[3](2.4) = 0 ± 1e-7
// expect u[1](2.4) = -0.09/1.81 ± 1e-5
// expect x[2](2.4) = 0.5 - 0.1*1.5/1.9 - (1 + 0.81 + 1.71*0.09/1.81)*(0.9 - 1.5/1.9) ± 1e-6
// expect x[1](4) = 0 ± 1e-7
// expect x[2](4) = 0 ± 1e-7
// expect x[3](4) = 0 ± 1e-7
// solvers auto cvode ida esdirk radau dopri5 rkf45
// options --stop-time 5
model SpiralThree
  parameter Integer n = 3;
  Real x[n](start = {3, 2, 1.5}, each fixed = true), u[n];
equation
  for i in 1:n loop
    u[i] = if x[i] > 0 then 1 else -1;
    der(x[i]) = -u[i] - 0.9*u[mod(i, n) + 1] + 0.9*u[mod(i + 1, n) + 1];
  end for;
end SpiralThree;
