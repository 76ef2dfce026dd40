// The velocity changes its sign at each apex, ever faster: that is no chattering. The impacts
// accumulate at sqrt(2/9.81)*(1 + e)/(1 - e) = 1.3545710. At 0.96 a flight has lasted for 0.057.
// options --stop-time 3 --tolerance 1e-6
// solvers auto cvode radau dopri5 esdirk
// expect warning R020 with events of h <= 0 accumulate at time = 1.3545
// expect h(0.96) = 1.10736173*0.056952718 - 4.905*0.056952718**2 ± 1e-5
// expect h(3) = 0 ± 1e-7
// expect v(3) = 0 ± 1e-7
model BallTwoConditions
  parameter Real e = 0.5;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 and v < 0 then
    reinit(v, -e*pre(v));
  end when;
end BallTwoConditions;
