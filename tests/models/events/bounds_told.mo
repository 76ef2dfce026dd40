model BoundsTold "A value outside its bounds is reported once and the run continues"
  Real x(start = 1, fixed = true, min = 0);
  Integer n(start = 0, fixed = true, max = 2);
equation
  der(x) = -1;
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end BoundsTold;
// expect warning R022 line 2 with below its min = 0
// expect warning R022 line 3 with above its max = 2
// expect x(2) = -1 ± 1e-6
