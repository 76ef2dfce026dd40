// The motion slides on x2 = 0 from 0.2 on, with u2 = 0.79. At 0.7 it comes to x3 = 0. Both surfaces
// cannot be held, since that asks for u2 > 1, and the events of both have no end. The motion leaves
// x2 = 0 to the side of u2 = 1 and slides on x3 = 0 with u3 = 0.47.
// expect warning R019 with x2 > 0
// expect warning R019 with x3 > 0
// expect x2(0.1) = -0.179 ± 1e-6
// expect x2(0.6) = 0 ± 1e-8
// expect x3(0.6) = 0.06476 ± 1e-6
// expect x3(1.5) = 0 ± 1e-8
// expect u3(1.5) = 0.47 ± 1e-6
// expect x2(1.5) = 0.0868*0.8 ± 2e-6
// solvers auto cvode ida esdirk radau dopri5 rkf45
// options --stop-time 1.5
model LeaveForAnother
  Real x2(start = -0.358, fixed = true), x3(start = 0.6538, fixed = true);
  Real u2 = if x2 > 0 then 1 else -1, u3 = if x3 > 0 then 1 else -1;
equation
  der(x2) = 1.35 - u2 - 0.56*u3;
  der(x3) = 0.56*u2 - u3 - 0.09;
end LeaveForAnother;
