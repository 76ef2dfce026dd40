model VanDerPol "Relaxation oscillator; stiff for large mu"
  parameter Real mu = 1000;
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
  annotation(experiment(StopTime = 2000, Tolerance = 1e-6));
end VanDerPol;

// x(2000) as published with the Bari/IVP test set for mu = 1000 (vdpol, scaled time 2):
// 1.706167732170483
// options --tolerance 1e-9
// solvers cvode
// expect x(2000) = 1.706167732170483 ± 1e-5
