// Two relays with three values, as in sign(x): x1 > 0 and x1 < 0 have one surface, x2 > 0 and
// x2 < 0 another. From (3, 3) the state reaches (0, 4) at time 1. The next quadrants take 4/3, 4/9,
// 4/27, … on straight lines, 2 in all: it rests at the origin from time 3 on. From time 4 on a push
// leads away from both surfaces, at (2, 1).
// expect warning R019
// expect x1(1) = 0 ± 1e-6
// expect x2(1) = 4 ± 1e-6
// expect x1(3.5) = 0 ± 1e-7
// expect x2(3.5) = 0 ± 1e-7
// expect s1(3.5) = 0 ± 1e-5
// expect s2(3.5) = 0 ± 1e-5
// expect x1(5) = 2 ± 1e-6
// expect x2(5) = 1 ± 1e-6
// solvers auto cvode ida esdirk radau dopri5 rkf45
// options --stop-time 5 --tolerance 1e-8
model SpiralOfSigns
  Real x1(start = 3, fixed = true), x2(start = 3, fixed = true), s1, s2;
equation
  s1 = if x1 > 0 then 1 elseif x1 < 0 then -1 else 0;
  s2 = if x2 > 0 then 1 elseif x2 < 0 then -1 else 0;
  der(x1) = -s1 - 2*s2 + (if time > 4 then 5 else 0);
  der(x2) = 2*s1 - s2;
end SpiralOfSigns;
