model SuperTwistingLeave "Second-order sliding that ends when a push exceeds the relay"
  // Until t = 6 the state rests at x = 0, v = 0. Then the motion goes on with x > 0, where s = 1
  // and v' = 2 - 1.1.
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real s = if x > 0 then 1 else -1;
  Real push = if time < 6 then 0.3*cos(time) else 2;
equation
  der(x) = -1.5*sqrt(abs(x))*s + v;
  der(v) = -1.1*s + push;
end SuperTwistingLeave;

// expect x(6-) = 0 ± 1e-7
// expect v(6-) = 0 ± 1e-7
// expect v(8) = 0.9*2 ± 1e-5
// expect s(8) = 1
// options --stop-time 8 --tolerance 1e-8
// solvers auto cvode ida dopri5 radau esdirk rkf45
