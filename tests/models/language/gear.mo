model GearTrain "Rigid coupling by equations: index 2"
  parameter Real J1 = 1, J2 = 4, r = 2;
  Real phi1, phi2, w1(start = 1, fixed = true), w2, t1, t2;
equation
  w1 = der(phi1);
  w2 = der(phi2);
  J1*der(w1) = 1 - t1;
  J2*der(w2) = t2;
  phi1 = r*phi2;
  t2 = r*t1;
initial equation
  phi1 = 0;
end GearTrain;
// J = J1 + J2/r^2 = 2
// solvers cvode dopri5 rk4 euler
// expect w1(1) = 1.5 ± 1e-5
// expect phi2(1) = 0.625 ± 1e-5 [euler 1e-2]
// expect t1(1) = 0.5 ± 1e-6
