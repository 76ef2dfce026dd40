model ZeroReached "Exactly zero is taken literally"
  Real x(start = 0.75, fixed = true);
  Real y = noEvent(if x > 0 then x else 0);
  Boolean up = y > 0;
equation
  der(x) = -1;
end ZeroReached;
// solvers cvode dopri5 rk4 euler
// expect up(0.7) = 1 ± 0
// expect up(0.76) = 0 ± 0
// expect up(1) = 0 ± 0
// expect event 0.75 ± 1e-6
