// Two balls one above the other: the impacts between them accumulate, then those with the floor;
// both rest in the end, and nothing hangs.
// expect warning R020
// expect h1(6) = 0 ± 1e-5
// expect h2(6) = 0 ± 1e-5
// expect v2(6) = 0 ± 1e-4
// options --stop-time 6
// solvers cvode dopri5 inline-euler
model TwoBalls
  parameter Real e = 0.8;
  Real h1(start = 1, fixed = true), v1(start = 0, fixed = true), h2(start = 1.5, fixed = true),
    v2(start = 0, fixed = true);
equation
  der(h1) = v1;
  der(h2) = v2;
  der(v1) = -9.81;
  der(v2) = -9.81;
  when h2 <= h1 then
    reinit(v1, pre(v1) + (1 + e)/2*(pre(v2) - pre(v1)));
    reinit(v2, pre(v2) - (1 + e)/2*(pre(v2) - pre(v1)));
  elsewhen h1 <= 0 then
    reinit(v1, -e*pre(v1));
  end when;
end TwoBalls;
