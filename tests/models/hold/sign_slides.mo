// sign makes events where a derivative jumps with it, so sliding is seen: dry friction that sticks
// at v = 0, and a controller that keeps x + w = 0. A result, a function of time, and a product that
// is continuous make none.
model SignSlides
  Real v(start = 0.5, fixed = true) "block on friction 1, driven by 0.4";
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
  Real c(start = 0, fixed = true) "follows the tank";
  Real result = sign(cos(7*time)) + sign(x - 0.9);
equation
  der(v) = 0.4 - sign(v);
  der(x) = w;
  der(w) = -2*sign(x + w) - 0.3*sin(time);
  der(c) = sqrt(abs(9 - c))*sign(9 - c) + 0*sign(sin(3*time));
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end SignSlides;
// solvers auto cvode dopri5 radau
// the block slows down by 0.6 and sticks from 5/6 on
// expect v(0.5) = 0.2 ± 1e-7
// expect event 0.8333333 ± 1e-6
// expect v(2) = 0 ± 1e-9
// expect v(4) = 0 ± 1e-9
// before t1: w = -2*t + 0.3*(cos(t) - 1), x = 1 - t^2 + 0.3*(sin(t) - t); x + w = 0 at t1,
// bisected; then x falls like exp(-t)
// expect warning R019
// expect event 0.4044618076
// expect x(4) = 0.0228659907 ± 1e-6
// sqrt(9 - c) falls by 1/2 per second
// expect c(1) = 2.75 ± 1e-7
