// Impacts accumulate at t1*(1 + 2*e/(1 - e)) with t1 = sqrt(2/g); from there on the ball rests and
// never falls through.
// expect warning R020 line 17 with rests on this surface
// expect event sqrt(2/9.81)*(1 + 2*(0.7 + 0.7**2 + 0.7**3 + 0.7**4 + 0.7**5))
// expect h(2.56) = 0 ± 1e-9
// expect h(4) = 0 ± 1e-9
// expect v(4) = 0 ± 1e-9
// expect min h >= -1e-12
// solvers auto high rk4 inline-bdf2 inline-radau
// options --stop-time 4 --tolerance 1e-8
model Rest
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Rest;
