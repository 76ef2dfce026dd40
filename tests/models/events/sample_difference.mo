model SampleDifference "x := 0.5 x + 1 every 0.1"
  discrete Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    x = 0.5*pre(x) + 1;
    n = pre(n) + 1;
  end when;
end SampleDifference;
// solvers cvode dopri5 rk4 euler
// expect x(0) = 1 ± 1e-15
// expect x(0.05) = 1 ± 1e-15
// expect x(0.15) = 1.5 ± 1e-15
// expect x(0.3) = 1.875 ± 1e-14
// expect x(0.3-) = 1.75 ± 1e-14
// expect n(1) = 11 ± 0
