// Fuller's problem: the switching curve is so flat that the motion cannot slide along it. It passes
// the curve again and again, each time with half the speed, and rests at the origin from time
// 2*sqrt(5) on. There the control has no effect on z', only on z''. The disturbance is constant on
// the way, and varies during the rest, which ends at time 7.
// expect warning R019
// expect x(0.8) = 0.68 ± 1e-6
// expect v(1.1180339887498949) = -1.1180339887498949 ± 1e-5
// expect x(4.6) = 0 ± 1e-6
// expect v(4.6) = 0 ± 1e-5
// expect u(6) = -0.05976070 ± 2e-4
// expect x(6.9) = 0 ± 1e-6
// expect v(8) = 0.5 ± 1e-5
// expect x(8) = 0.25 ± 1e-5
// solvers auto cvode ida esdirk radau dopri5 rkf45
// options --stop-time 8 --tolerance 1e-7
model Fuller
  parameter Real c = 0.3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), u, d;
equation
  u = if x + c*v*abs(v) > 0 then -1 else 1;
  d = if time < 5 then 0 elseif time < 7 then 0.13*(1 - cos(time - 5)) else 1.5;
  der(x) = v;
  der(v) = u + d;
end Fuller;
