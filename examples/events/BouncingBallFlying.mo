model BouncingBallFlying "1999's ball that stops by itself: reinit acts at the end of the "
  + "iteration, so `flying` looks at the new speed"
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
  annotation(experiment(StopTime = 3));
end BouncingBallFlying;
// options --tolerance 1e-8
// solvers auto cvode dopri5 rk4
// expect n(3) = 19
// expect event 1.3545675
// expect h(3) = 0
// expect v(3) = 0
