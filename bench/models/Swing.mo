model Swing "Pendulums that are shaken: a run of seconds"
  parameter Integer n = 40;
  Real x[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = -sin(x[i])*(1 + 0.1*i) + 0.1*cos(time*i) - 0.01*v[i]*abs(v[i]) + 0.001*exp(-x[i]^2);
  end for;
  annotation(experiment(StopTime = 500));
end Swing;
