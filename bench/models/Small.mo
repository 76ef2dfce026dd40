model Small "RLC circuit with a switched source: the kind of model one types in a minute"
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u;
equation
  u = if time < 0.5 then 1 else 0.5;
  der(i) = u - v - 0.2*i;
  der(v) = i;
  annotation(experiment(StopTime = 10));
end Small;
