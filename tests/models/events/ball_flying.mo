model BallFlying "Comes to rest after the impact that leaves less than vSmall"
  parameter Real e = 0.5, g = 9.81, vSmall = 1e-3;
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
  annotation(experiment(StopTime = 3, Tolerance = 1e-11));
end BallFlying;
// v(0) sqrt(2 g) 0.5^n falls below 1e-3 with n = 13; t = sqrt(2/g) (1 + 2 (0.5 + … + 0.5^12))
// expect n(3) = 13 ± 0
// expect h(3) = 0 ± 0
// expect v(3) = 0 ± 0
// expect event sqrt(2/9.81)
// expect event sqrt(2/9.81)*(1+2*(1-0.5^12)) ± 1e-5
