// 1999's ball: h(0) = 1, e = 0.5, at rest after the impact that leaves less than vSmall: the 19th.
// expect n(3) = 19
// expect events = 19
// expect h(3) = 0 ± 0
// expect v(3) = 0 ± 0
// expect event sqrt(2/9.81)*(1 + 2*(1 - 0.5**18))
// solvers auto high rk4 inline-bdf2 inline-radau
// options --tolerance 1e-8 --stop-time 3
model Nineteen
  parameter Real e = 0.5, g = 9.81, vSmall = 1e-5;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h <= 0 then
    n = pre(n) + 1;
    flying = -e*pre(v) > vSmall;
    reinit(v, if flying then -e*pre(v) else 0);
    reinit(h, 0);
  end when;
end Nineteen;
