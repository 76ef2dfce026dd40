model SuperTwistingCoarse "Second-order sliding and its end, at a coarse tolerance"
  // Oscillations below the tolerance are left to a one-step method, so that every solver sees that
  // they come to rest. From t = 6 on x > 0, s = 1, v' = 2 - 1.1.
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real s = if x > 0 then 1 else -1;
  Real push = if time < 6 then 0.3*cos(time) else 2;
equation
  der(x) = -1.5*sqrt(abs(x))*s + v;
  der(v) = -1.1*s + push;
end SuperTwistingCoarse;

// expect warning R019 with x > 0
// expect x(4) = 0 ± 1e-5
// expect s(4) = 0.3*cos(4)/1.1 ± 1e-3
// expect v(8) = 0.9*2 ± 1e-4
// expect s(8) = 1
// options --stop-time 8 --tolerance 1e-5
// solvers auto cvode ida dopri5 radau esdirk rkf45
