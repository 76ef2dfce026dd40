model BouncingBall "A ball falls on the floor and bounces with restitution e"
  parameter Real e(min = 0, max = 1) = 0.7 "coefficient of restitution";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real h(start = 1, fixed = true, unit = "m") "height";
  Real v(start = 0, fixed = true, unit = "m/s") "velocity";
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 2));
end BouncingBall;

// The first fall takes t1 = sqrt(2/g); flight k lasts 2*e^k*t1.
// options --tolerance 1e-8
// solvers cvode dopri5 rk4
// expect event sqrt(2/9.81)
// expect event sqrt(2/9.81)*(1 + 2*0.7)
// expect event sqrt(2/9.81)*(1 + 2*(0.7 + 0.7**2))
// expect event sqrt(2/9.81)*(1 + 2*(0.7 + 0.7**2 + 0.7**3))
// expect events = 4
// expect min h >= -1e-9
// expect h(0.2) = 1 - 9.81*0.2**2/2 ± 1e-7
// expect v(0.2) = -9.81*0.2 ± 1e-7
