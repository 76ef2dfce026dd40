model TwoPoint "Heating between two temperatures: exponential pieces"
  Real T(start = 15, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = T < 18 or pre(on) and T < 22;
  der(T) = -0.1*(T - 10) + (if on then 2 else 0);
  annotation(experiment(StopTime = 20, Tolerance = 1e-9));
end TwoPoint;
// on: to 30 by rate 0.1: (30-15) exp(-0.1 t1) = 8; off: to 10: 12 exp(-0.1 d) = 8; on again: 12
// exp(-0.1 d) = 8
// solvers cvode dopri5
// expect event 10*log(15/8)
// expect event 10*log(15/8)+10*log(1.5)
// expect event 10*log(15/8)+20*log(1.5)
// expect events = 4
// expect T(5) = 30-15*exp(-0.5) ± 1e-6
// expect max T <= 22.0001
