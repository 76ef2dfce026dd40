model Thermostat "A room held between two temperatures: 1,000,000 state events"
  parameter Real low = 0.99, high = 1.01;
  Real T(start = 0.5, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = T < low or pre(on) and T < high;
  der(T) = (if on then 2 else 0) - T;
  annotation(experiment(StopTime = 20000));
end Thermostat;
