// Two tanks and a relay that slides. One tank is emptied by Torricelli's law, h = (1 - t/4)^2; its
// relation is a variable. The other one has a pump too: it reaches zero with a slope, at
// t = 4 - 4*ln(2) of der(b) = -sqrt(b)/2 - 1/2.
// expect a(2.0) = 0.25 ± 1e-5
// expect a(6.0) = 0 ± 1e-9
// expect qa(6.0) = 0
// expect event 4 - 4*log(2) ± 1e-4
// expect b(6.0) = 0 ± 1e-9
// expect x(6.0) = 0 ± 1e-9
// expect warning R019
// options --stop-time 6 --tolerance 1e-8
// solvers auto cvode ida radau esdirk dopri5 rkf45
model RunsEmptyBeside
  Real a(start = 1, fixed = true), b(start = 1, fixed = true), x(start = 0.5, fixed = true);
  Real qa, qb;
  Boolean wet;
equation
  wet = a > 0;
  qa = if wet then 0.5*sqrt(a) else 0;
  qb = if b > 0 then 0.5*sqrt(b) + 0.5 else 0;
  der(a) = -qa;
  der(b) = -qb;
  der(x) = (if x > 0 then -1 else 1) + 0.3*sin(time);
end RunsEmptyBeside;
