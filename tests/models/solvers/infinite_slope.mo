// The slope of the root is infinite at the start, and the Jacobian with it. From there x = t^2
// follows: 2*t = -t + 3*t.
// expect x(2) = 4 ± 1e-5
// solvers auto cvode ida radau esdirk dopri5 inline-radau
// options --stop-time 2
model InfiniteSlope
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = -sqrt(abs(x)) + v;
  der(v) = 3;
end InfiniteSlope;
