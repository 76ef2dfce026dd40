// Three balls one above the other. The impacts of each disturb the rhythm of the others: none falls
// through the floor or through another, and all rest in the end.
// expect warning R020
// expect min h[1] >= -1e-6
// expect h[1](5) = 0 ± 1e-5
// expect h[2](5) = 0 ± 1e-5
// expect h[3](5) = 0 ± 1e-5
// solvers auto cvode dopri5
// options --stop-time 5
model ThreeBalls
  parameter Real e = 0.6;
  Real h[3](start = {0.5, 1, 1.7}, each fixed = true), v[3](each start = 0, each fixed = true);
equation
  der(h) = v;
  der(v) = fill(-9.81, 3);
  when h[1] <= 0 then
    reinit(v[1], -e*pre(v[1]));
  elsewhen h[2] <= h[1] then
    reinit(v[1], (pre(v[1]) + pre(v[2]))/2 + e*(pre(v[2]) - pre(v[1]))/2);
    reinit(v[2], (pre(v[1]) + pre(v[2]))/2 - e*(pre(v[2]) - pre(v[1]))/2);
  elsewhen h[3] <= h[2] then
    reinit(v[2], (pre(v[2]) + pre(v[3]))/2 + e*(pre(v[3]) - pre(v[2]))/2);
    reinit(v[3], (pre(v[2]) + pre(v[3]))/2 - e*(pre(v[3]) - pre(v[2]))/2);
  end when;
end ThreeBalls;
