model Limiter "An if-expression: the solver stops at every kink"
  parameter Real limit = 1;
  Real x = 2*sin(time), y;
  Real area(start = 0, fixed = true) "of y, to see that no step crosses a kink";
equation
  y = if x > limit then limit elseif x < -limit then -limit else x;
  der(area) = y;
  annotation(experiment(StopTime = 6));
end Limiter;
// options --tolerance 1e-8
// solvers cvode dopri5 rk4 euler
// expect event asin(0.5)
// expect event pi - asin(0.5)
// expect event pi + asin(0.5)
// expect event 2*pi - asin(0.5)
// expect events = 4
// expect area(3) = 2*(1 - cos(asin(0.5))) + pi - 2*asin(0.5) + 2*(cos(pi - asin(0.5)) - cos(3)) ± 1e-6 [euler 2e-2]
