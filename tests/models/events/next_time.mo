model NextTime "The form of 1993: the next instant is a discrete variable"
  parameter Real T = 0.1;
  discrete Real next(start = 0, fixed = true);
  discrete Real x(start = 0, fixed = true);
equation
  when {initial(), time >= pre(next)} then
    next = time + T;
    x = 0.5*pre(x) + 1;
  end when;
end NextTime;
// solvers cvode dopri5 rk4 euler
// expect x(0.05) = 1 ± 1e-15
// expect x(0.15) = 1.5 ± 1e-15
// expect x(0.35) = 1.875 ± 1e-14
