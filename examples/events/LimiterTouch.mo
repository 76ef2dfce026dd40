model LimiterTouch "A signal that only touches its limits: no event is missed, none is without end"
  Real x = sin(time);
  Real a = if x > 1 then 1 else x "touches, from below";
  Real b = max(x, -1) "touches, from above";
  Boolean above = x >= 1;
  Boolean beyond = x > 0.9999999 "a small excursion within one step";
  annotation(experiment(StopTime = 10));
end LimiterTouch;
// options --tolerance 1e-8
// expect a(2) = sin(2) ± 1e-12
// expect b(5) = sin(5) ± 1e-12
// expect event pi/2 - acos(0.9999999) ± 1e-6
// expect event pi/2 + acos(0.9999999) ± 1e-6
// expect event 5*pi/2 - acos(0.9999999) ± 1e-6
