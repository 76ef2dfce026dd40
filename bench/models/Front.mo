model Front "u_t = u_xx + u*(1 - u) by the method of lines; a front that moves with speed "
  + "5/sqrt(6), known exactly"
  parameter Integer n = 1000;
  parameter Real L = 100;
  parameter Real dx = L/n;
  parameter Real c = 5/sqrt(6);
  Real u[n](start = {(1 + exp((i - 0.5)*dx/sqrt(6) - 10))^(-2) for i in 1:n}, each fixed = true);
  Real error = max(abs(u[i] - (1 + exp(((i - 0.5)*dx - c*time)/sqrt(6) - 10))^(-2)) for i in 1:n);
equation
  der(u[1]) = (u[2] - u[1])/dx^2 + u[1]*(1 - u[1]);
  for i in 2:n - 1 loop
    der(u[i]) = (u[i - 1] - 2*u[i] + u[i + 1])/dx^2 + u[i]*(1 - u[i]);
  end for;
  der(u[n]) = (u[n - 1] - u[n])/dx^2 + u[n]*(1 - u[n]);
  annotation(experiment(StopTime = 20));
end Front;
