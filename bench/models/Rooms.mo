model Rooms "N rooms with thermostats of their own on one supply"
  parameter Integer N = 10;
  parameter Real period[N] = {1 + 0.5*mod(0.618034*i, 1) for i in 1:N};
  Real T[N](each start = 19.5, each fixed = true);
  Boolean on[N](each start = true, each fixed = true);
  Real supply(start = 60, fixed = true);
  Real heat[N];
equation
  for i in 1:N loop
    when {T[i] > 21, T[i] < 19} then
      on[i] = T[i] < 19;
    end when;
    heat[i] = if on[i] then 0.2*(supply - T[i]) else 0;
    der(T[i])*period[i] = heat[i] - (T[i] - 5)/4;
  end for;
  der(supply) = (60 - supply) - sum(heat)/(10*N);
  annotation(experiment(StopTime = 20));
end Rooms;
