model Generators "N generators on the nodes of a ring with chords: a linear network of 2N unknowns"
  parameter Integer N = 500;
  parameter Real power[N] = {1 + 0.2*sin(i) for i in 1:N};
  parameter Real inertia[N] = {4 + mod(0.618034*i, 1) for i in 1:N};
  Real angle[N](each start = 0, each fixed = true);
  Real speed[N](each start = 0, each fixed = true);
  Real re[N](each start = 1), im[N] "voltages of the nodes";
  Real electrical[N] "power of each generator";
protected
  constant Real inside = 5, line = 8 "susceptances";
  parameter Real load[N] = {if i == 1 then 1.2 else 1 for i in 1:N};
  parameter Integer next[N] = {mod(i, N) + 1 for i in 1:N};
  parameter Integer last[N] = {mod(i - 2, N) + 1 for i in 1:N};
  parameter Integer chord[N] = {mod(i - 1 + div(N, 2), N) + 1 for i in 1:N};
equation
  for i in 1:N loop
    der(angle[i]) = speed[i];
    inertia[i]*der(speed[i]) = power[i] - electrical[i] - 2*speed[i];
    electrical[i] = inside*(re[i]*sin(angle[i]) - im[i]*cos(angle[i]));
    // the sum of the currents at the node, real and imaginary part
    inside*(sin(angle[i]) - im[i]) = load[i]*re[i]
      + line*(3*im[i] - im[next[i]] - im[last[i]] - im[chord[i]]);
    inside*(re[i] - cos(angle[i])) = load[i]*im[i]
      - line*(3*re[i] - re[next[i]] - re[last[i]] - re[chord[i]]);
  end for;
  annotation(experiment(StopTime = 10));
end Generators;
