model dense_stiff "As dense, with a fast part: the one-step method proves wrong and is left again"
  Real T(start = 0.5, fixed = true), y(start = 0.5, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = T < 0.99 or pre(on) and T < 1.01;
  der(T) = (if on then 2 else 0) - T;
  der(y) = 1e6*(T - y);
  annotation(experiment(StopTime = 4));
end dense_stiff;

// options --tolerance 1e-8
// solvers auto cvode
// expect events = 180
// expect T(4) = 2 - 1.01*exp(log(1.5/0.99) + 179*log(1.01/0.99) - 4) ± 1e-5
// expect y(4) = 2 - 1.01*exp(log(1.5/0.99) + 179*log(1.01/0.99) - 4) ± 1e-5
