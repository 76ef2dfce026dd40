model TwoPointController "A thermostat: every switching is an event (1999, section 2.2)"
  parameter Real Tset = 20, band = 1, Tout = 5, tau = 10, heat = 30;
  Real T(start = 15, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  tau*der(T) = Tout - T + (if on then heat else 0);
  on = T < Tset - band or pre(on) and T < Tset + band;
  annotation(experiment(StopTime = 40));
end TwoPointController;
// On towards 35, off towards 5: ln((35-15)/(35-21)), then ln((21-5)/(19-5)), then
// ln((35-19)/(35-21)), …
// options --tolerance 1e-9
// solvers cvode dopri5 rk4
// expect event 10*log(20/14)
// expect event 10*log(20/14) + 10*log(16/14)
// expect event 10*log(20/14) + 10*log(16/14) + 10*log(16/14)
// expect max T <= 21.000001
