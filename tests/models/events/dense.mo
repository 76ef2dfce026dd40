model dense "Events follow each other so closely that solver auto changes to a one-step method"
  Real T(start = 0.5, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  on = T < 0.99 or pre(on) and T < 1.01;
  der(T) = (if on then 2 else 0) - T;
  annotation(experiment(StopTime = 4));
end dense;

// The k-th event is at log(1.5/0.99) + k*log(1.01/0.99).
// options --tolerance 1e-8
// solvers auto cvode dopri5
// expect events = 180
// expect event log(1.5/0.99) + 100*log(1.01/0.99) ± 1e-5
// expect T(4) = 2 - 1.01*exp(log(1.5/0.99) + 179*log(1.01/0.99) - 4) ± 1e-5
