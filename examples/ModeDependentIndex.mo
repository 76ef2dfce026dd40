model ModeDependentIndex "x is integrated first and given later"
  Real x(start = 0, fixed = true);
equation
  if time < 0.5 then
    der(x) = 10;
  else
    x = -5;
  end if;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end ModeDependentIndex;

// solvers cvode dopri5 inline-radau inline-bdf2 inline-euler
// expect x(0.3) = 3 ± 1e-7
// expect x(0.5-) = 5 ± 1e-7
// expect x(0.5) = -5 ± 1e-9
// expect x(1) = -5 ± 1e-9
