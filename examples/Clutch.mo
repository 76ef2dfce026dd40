model Clutch "Two inertias that a rigid clutch joins for a second: momentum is kept"
  parameter Real J1 = 1, J2 = 2;
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true);
  Real tau "torque of the clutch";
  Boolean locked = time >= 1 and time < 2;
equation
  J1*der(w1) = 1 - tau;
  J2*der(w2) = tau;
  0 = if locked then w1 - w2 else tau;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end Clutch;

// solvers cvode dopri5 inline-radau inline-bdf2 inline-euler
// expect w1(1-) = 11 ± 1e-6
// expect w1(1) = 11/3 ± 1e-7
// expect w2(1) = 11/3 ± 1e-7
// expect tau(1.5) = 2/3 ± 1e-7
// expect w1(2) = 4 ± 1e-6
// expect w2(2) = 4 ± 1e-6
// expect w1(3) = 5 ± 1e-6
// expect w2(3) = 4 ± 1e-6
// expect events = 2
