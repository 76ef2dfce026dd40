model Line "A line of heat cells as equations of an array"
  parameter Integer n = 10;
  parameter Real k = n^2;
  Real T[n](each start = 0, each fixed = true);
equation
  der(T[1]) = k*(1 - 2*T[1] + T[2]);
  for i in 2:n - 1 loop
    der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = k*(T[n - 1] - T[n]);
end Line;
