model SwitchCircuit "1993, figure 3: the switch equation lies in a loop"
  parameter Real R1 = 100, R2 = 20, C = 0.1e-6, i0 = 0.01;
  Real v(start = 0, fixed = true), uR2, iR2, us, is;
  Boolean closed = time >= 5e-6 and time < 8e-6;
equation
  C*der(v) = i0 - v/R1 - iR2;
  iR2 = is;
  uR2 = R2*iR2;
  v = us + uR2;
  0 = if closed then us else is;
  annotation(experiment(StopTime = 1e-5, Tolerance = 1e-8));
end SwitchCircuit;
// open: tau = 1e-5, final 1 V; closed: 100 || 20 = 16.667 Ohm, tau = 1.6667e-6, final 0.166667 V
// solvers cvode dopri5
// expect v(2.5e-6) = 1-exp(-0.25) ± 1e-6
// expect v(5e-6) = 1-exp(-0.5) ± 1e-6
// expect v(8e-6) = 1/6+(1-exp(-0.5)-1/6)*exp(-1.8) ± 1e-6
// expect v(9e-6) = 1+(1/6+(1-exp(-0.5)-1/6)*exp(-1.8)-1)*exp(-0.1) ± 1e-6
