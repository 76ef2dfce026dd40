// Ten bodies on massless links in a plane, index 3. Energy is the check.
// expect max energy_error <= 1e-4
// expect max stretch <= 1e-6
model chain
  parameter Integer n = 10;
  parameter Real g = 9.81, L = 1/n;
  Real x[n](start = {i*L for i in 1:n}), y[n](each start = 0), vx[n](each start = 0),
    vy[n](each start = 0), F[n + 1];
  Real energy_error = abs(0.5*(vx*vx + vy*vy) + g*sum(y));
  Real stretch = abs(sum((x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))^2 + (y[i] - (if i > 1 then
    y[max(i - 1, 1)] else 0))^2 for i in 1:n) - n*L^2);
equation
  der(x) = vx;
  der(y) = vy;
  x[1]^2 + y[1]^2 = L^2;
  for i in 2:n loop
    (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = L^2;
  end for;
  der(vx[1]) = -F[1]*x[1] + F[2]*(x[2] - x[1]);
  der(vy[1]) = -F[1]*y[1] + F[2]*(y[2] - y[1]) - g;
  for i in 2:n - 1 loop
    der(vx[i]) = -F[i]*(x[i] - x[i - 1]) + F[i + 1]*(x[i + 1] - x[i]);
    der(vy[i]) = -F[i]*(y[i] - y[i - 1]) + F[i + 1]*(y[i + 1] - y[i]) - g;
  end for;
  der(vx[n]) = -F[n]*(x[n] - x[n - 1]);
  der(vy[n]) = -F[n]*(y[n] - y[n - 1]) - g;
  F[n + 1] = 0;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end chain;
