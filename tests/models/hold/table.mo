// A ball at rest on a table that begins to move: it is thrown off when the table's acceleration
// 16*cos(4*(t - 3)) falls below -g.
// expect warning R020
// expect h(2.9) = 0 ± 1e-9
// expect h(3.3) = 1 - cos(4*0.3) ± 1e-7
// expect h(3.5) = 1 - cos(4*0.5) ± 1e-7
// expect h(4) = 1 + 9.81/16 + (1 - acos(-9.81/16)/4)*4*sqrt(1 - (9.81/16)**2) - 9.81*(1 - acos(-9.81/16)/4)**2/2 ± 2e-6
// solvers high rk4 inline-radau inline-bdf2
// options --stop-time 4.4 --tolerance 1e-9 --intervals 4400
model Table
  parameter Real e = 0.5, g = 9.81;
  Real s = if time < 3 then 0 else 1 - cos(4*(time - 3)) "table";
  Real w = if time < 3 then 0 else 4*sin(4*(time - 3)) "its speed";
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h - s <= 0 then
    reinit(v, w - e*(pre(v) - w));
  end when;
end Table;
