model IntegerFactor "A switch by a factor of 0 or 1 (Inline integration, section 3)"
  parameter Real L = 0.5;
  Real u, i(start = 0, fixed = true);
  Integer sw = if time < 1 or time >= 2 then 0 else 1 "open";
equation
  0 = sw*i + (1 - sw)*u;
  L*der(i) = 1 - u;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end IntegerFactor;

// solvers cvode dopri5 inline-radau inline-bdf2
// expect i(1-) = 2 ± 1e-6
// expect i(1) = 0 ± 1e-9
// expect u(1.5) = 1 ± 1e-9
// expect i(3) = 2 ± 1e-6
