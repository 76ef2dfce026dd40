// A sampled proportional controller on a lag of first order: x[k+1] = (a - 2*(1 - a))*x[k], a =
// exp(-0.1).
// expect x(0.5) = (3*exp(-0.1) - 2)**5 ± 1e-4
// expect x(1.0) = (3*exp(-0.1) - 2)**10 ± 1e-4
// expect ud(0.25) = -2*(3*exp(-0.1) - 2)**2 ± 1e-4
// expect flat // partition 1.1: Clock(1, 10), factor 1, shift 0
model SampledController
  Real x(start = 1, fixed = true), u, xd, ud;
equation
  der(x) = u - x;
  xd = sample(x, Clock(1, 10));
  ud = -2*xd;
  u = hold(ud);
end SampledController;
