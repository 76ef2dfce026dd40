model DelayedFriction "Dry friction under a delayed force: examples/FrictionDeclarative.mo half a "
  + "second later"
  Real v(start = 0, fixed = true), f, s;
  Real u = delay(2*sin(time), 0.5);
equation
  der(v) = u - f;
  if s > 1 then
    v = s - 1;
    f = 1 + 0.1*v;
  elseif s < -1 then
    v = s + 1;
    f = -1 + 0.1*v;
  else
    v = 0;
    f = s;
  end if;
  annotation(experiment(StopTime = 6, Tolerance = 1e-8));
end DelayedFriction;

// With r = time - 0.5 the force 2*sin(r) exceeds 1 at r = pi/6. From then on v' = 2*sin(r) - 1 -
// v/10, so v = k(r) - k(pi/6)*exp((pi/6 - r)/10), where k(r) = -10 + (0.2*sin(r) - 2*cos(r))/1.01
// solves the equation alone. It is positive until r = 3.71, a root by bisection.
// solvers cvode dopri5 inline-radau
// expect v(1) = 0 ± 1e-9
// expect event 0.5 + pi/6 ± 1e-5
// expect event 4.2141265 ± 1e-5
// expect v(3) = -10+(0.2*sin(2.5)-2*cos(2.5))/1.01+(10-(0.1-sqrt(3))/1.01)*exp((pi/6-2.5)/10) ± 1e-6
