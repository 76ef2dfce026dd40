model Endless
  Real x(start=0, fixed=true);
equation
  der(x) = sin(1e3*time)^2;
  annotation(experiment(StopTime=1e9));
end Endless;
