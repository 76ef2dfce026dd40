model PT1Reset "Reset by an input"
  parameter Real T = 0.5;
  Real x(start = 1, fixed = true);
  Boolean reset = time >= 0.4;
equation
  T*der(x) = -x;
  when reset then
    reinit(x, 2);
  end when;
end PT1Reset;
// solvers cvode dopri5 rk4
// expect events = 1
// expect x(0.4-) = exp(-0.8) ± 1e-5
// expect x(0.4) = 2 ± 0
// expect x(1) = 2*exp(-1.2) ± 1e-5
