model CapacitorsJoined "An ideal switch joins two capacitors: charge is kept, energy is not"
  parameter Real C1 = 1, C2 = 3;
  Real v1(start = 5, fixed = true), v2(start = 1, fixed = true);
  Real i "through the switch";
  Real charge = C1*v1 + C2*v2, energy = (C1*v1^2 + C2*v2^2)/2;
  Boolean closed = time >= 1;
equation
  C1*der(v1) = -i;
  C2*der(v2) = i;
  0 = if closed then v1 - v2 else i;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end CapacitorsJoined;

// solvers cvode dopri5 inline-radau inline-bdf2 inline-euler
// expect v1(1) = 2 ± 1e-8
// expect v2(1) = 2 ± 1e-8
// expect v1(2) = 2 ± 1e-8
// expect i(1.5) = 0 ± 1e-8
// expect charge(2) = 8 ± 1e-8
// expect energy(1-) = 14 ± 1e-8
// expect energy(1) = 8 ± 1e-8
