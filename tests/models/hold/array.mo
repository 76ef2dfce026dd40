// Three balls in an array; each comes to rest in its own time, the others bounce on.
// expect warning R020
// expect b[1].h(4) = 0 ± 1e-8
// expect b[2].h(4) = 0 ± 1e-8
// expect b[3].h(4) = 0 ± 1e-8
// expect min b[1].h >= -1e-9
// expect min b[2].h >= -1e-9
// expect min b[3].h >= -1e-9
// solvers high inline-radau
// options --stop-time 4 --tolerance 1e-8
model Ball
  parameter Real e = 0.5;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
model Array
  Ball b[3](e = {0.3, 0.5, 0.7}, h(start = {1, 0.5, 0.8}));
end Array;
