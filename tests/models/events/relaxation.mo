// A relaxation oscillator without events: y jumps when its branch ends, at |c| = 0.4999. It never
// jumps earlier, although rejected steps beyond find the other branch. c tends to -1 from 0.6 for
// ln(1.6/0.5001), then to 1 and -1 in turns for ln(1.4999/0.5001).
// expect c(1.12) = -1 + 1.6*exp(-1.12) ± 1e-5
// expect c(2) = 1 - 1.4999*exp(-(2 - log(1.6/0.5001))) ± 1e-4
// expect c(20) = -1 + 1.4999*exp(-(20 - log(1.6/0.5001) - 17*log(1.4999/0.5001))) ± 1e-4
// expect max c <= 0.6001
// expect min c >= -0.5001
// expect warning R017
// solvers cvode dopri5 radau esdirk
// options --stop-time 20
model Relaxation
  Real c(start = 0.6, fixed = true), p, v, w, y;
equation
  der(c) = y - c;
  v = p - c;
  y - p = w;
  w = p;
  y = smooth(0, noEvent(if 1e4*v > 1 then 1 else if 1e4*v < -1 then -1 else 1e4*v));
end Relaxation;
