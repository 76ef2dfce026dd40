model FrictionDeclarative "Dry friction by its characteristic alone (Modelica report of 1999, "
  + "figure 10): no mode variable, no acceleration"
  parameter Real m = 1, f0 = 1, f1 = 0.1;
  Real v(start = 0, fixed = true) "velocity";
  Real f "friction force";
  Real s "parameter along the characteristic";
  Real u = 2*sin(time) "driving force";
equation
  m*der(v) = u - f;
  if s > 1 then
    v = s - 1;
    f = f0 + f1*v;
  elseif s < -1 then
    v = s + 1;
    f = -f0 + f1*v;
  else
    v = 0;
    f = f0*s;
  end if;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end FrictionDeclarative;

// solvers cvode dopri5 inline-radau inline-bdf2
// expect event 0.5235988
// expect event 3.7141265 ± 1e-5
// expect event 6.8550001 ± 1e-5
// expect event 9.9966137 ± 1e-5
// expect events = 4
// expect v(2.5) = 1.23768987 ± 1e-6 [inline-bdf2 3e-5]
// expect v(5) = -0.91420925 ± 1e-6 [inline-bdf2 3e-5]
// expect v(7.5) = 0.33540519 ± 1e-6 [inline-bdf2 3e-5]
