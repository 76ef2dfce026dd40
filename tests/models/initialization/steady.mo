model Steady "Starts in the steady state"
  parameter Real a = 2;
  Real x, y;
initial equation
  der(x) = 0;
  der(y) = 0;
equation
  der(x) = a - x*x;
  der(y) = x - 2*y;
end Steady;
// solvers cvode dopri5 rk4 euler
// options --set x.start=1
// expect x(0) = sqrt(2) ± 1e-6
// expect y(1) = sqrt(2)/2 ± 1e-6
