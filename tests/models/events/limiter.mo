model Limiter "No step crosses a kink"
  Real x = 2*sin(time);
  Real y = if x > 1 then 1 elseif x < -1 then -1 else x;
  annotation(experiment(StopTime = 6, Tolerance = 1e-8));
end Limiter;
// solvers cvode dopri5 rk4 euler
// expect events = 4
// expect event 0.5235987756
// expect event 2.617993878
// expect event 3.665191429
// expect event 5.759586532
// expect y(1.5) = 1 ± 1e-12
// expect y(4.5) = -1 ± 1e-12
// expect y(0.3) = 2*sin(0.3) ± 1e-9
