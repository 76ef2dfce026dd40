// 400 states coupled by one block of 400 algebraic unknowns: with the block solved the Jacobian is
// full, with the block open it is sparse. The
// initial values are an eigenvector, so all states fall at one rate.
// solvers cvode ida
// options --intervals 10 --tolerance 1e-7
// expect max err <= 1e-6
model WideLoop
  constant Integer n = 400;
  constant Real pi = 3.14159265358979323846;
  parameter Real k = 80, mu = 2 - 2*cos(pi*k/(n + 1));
  Real v[n](start = {sin(pi*k*i/(n + 1)) for i in 1:n}, each fixed = true);
  Real a[n];
  Real ratio = v[1]/sin(pi*k/(n + 1));
  Real err = max(abs(v[i] - exp(-time*mu/(1 + mu))*sin(pi*k*i/(n + 1))) for i in 1:n);
equation
  for i in 1:n loop
    (if i > 1 then a[i - 1] else 0) - 2*a[i] + (if i < n then a[i + 1] else 0) + v[i] - a[i] = 0;
    der(v[i]) = a[i] - v[i];
  end for;
end WideLoop;
// expect ratio(1) = exp(-(2 - 2*cos(pi*80/401))/(3 - 2*cos(pi*80/401))) ± 1e-6
