model DifferenceEquation "x(k+1) = a*x(k) + b, by sample and in the form of 1993 with a next time"
  parameter Real a = 0.5, b = 1, T = 0.1;
  discrete Real x(start = 0, fixed = true), y(start = 0, fixed = true), next(start = 0,
    fixed = true);
equation
  when sample(0, T) then
    x = a*pre(x) + b;
  end when;
  when {initial(), time >= pre(next)} then
    y = a*pre(y) + b;
    next = time + T;
  end when;
  annotation(experiment(StopTime = 1));
end DifferenceEquation;
// expect x(0) = 1
// expect x(0.1) = 1.5
// expect x(0.95) = 2*(1 - 0.5**10) ± 1e-15
// expect y(0.95) = 2*(1 - 0.5**10) ± 1e-15
