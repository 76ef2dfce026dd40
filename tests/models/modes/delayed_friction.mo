model DelayedFriction "Dry friction under a delayed force: examples/FrictionDeclarative.mo half a second later"
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

// solvers cvode dopri5 inline-radau
// expect v(1) = 0 ± 1e-9
// expect event 1.0235988 ± 1e-5
// expect v(3) = 1.23768987 ± 1e-6
