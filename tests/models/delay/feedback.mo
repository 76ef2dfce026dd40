// x' = -x(t-1), x = 1 before 0: by the method of steps a polynomial on each interval
// expect x(1.0) = 0 ± 1e-6 [euler 2e-2]
// expect x(1.5) = -0.5 + 0.125 ± 1e-6 [euler 2e-2]
// expect x(2.0) = -0.5 ± 1e-6 [euler 2e-2]
// expect x(3.0) = -1/6 ± 1e-6 [euler 2e-2]
// solvers cvode dopri5 rk4 euler
// options --stop-time 3 --tolerance 1e-8 --intervals 600
model Feedback
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
end Feedback;
