// Parameters that initialization computes, and others that follow from them, in a model that is
// planned anew until the relative angles are states.
// The pendulum at the end of the other hangs from it at rest: the angle follows from the height of
// its mass, y = -L1*cos(a[1]) - L2, with L2 = 2*L1 - 1/2.
// solvers cvode
// options --stop-time 1 --tolerance 1e-9
// expect equations STATES a[1] a[2] der(a[2]) der(a[1]) DIFFERENTIATED
// expect L[1](0) = 1.1 ± 1e-9
// expect reach(0) = 2.8 ± 1e-9
// expect y[2](1) = -2.8 ± 1e-9
model LateParameters
  constant Integer n = 2;
  parameter Real L1(fixed = false, start = 1), L2 = 2*L1 - 0.5, sum = L1 + L2;
  Real L[n] = {L1, L2}, reach = sum;
  Real x[n], y[n], vx[n], vy[n], F[n];
  Real a[n](each stateSelect = StateSelect.always, each start = 0, each fixed = true)
    "relative angles";
  Real b[n] "absolute angles";
  Real va2 = der(a[2]);
initial equation
  sum = 2.8;
equation
  b[1] = a[1];
  b[2] = b[1] + a[2];
  x[1] = L1*sin(b[1]);
  y[1] = -L1*cos(b[1]);
  x[2] = x[1] + L2*sin(b[2]);
  y[2] = y[1] - L2*cos(b[2]);
  der(x) = vx;
  der(y) = vy;
  der(vx[1]) = -F[1]*sin(b[1]) + F[2]*sin(b[2]);
  der(vy[1]) = F[1]*cos(b[1]) - F[2]*cos(b[2]) - 9.81;
  der(vx[2]) = -F[2]*sin(b[2]);
  der(vy[2]) = F[2]*cos(b[2]) - 9.81;
end LateParameters;
