model QuasiContinuous "The control of second order is continuous everywhere but at the origin"
  // x and v reach zero in finite time and stay there. On x = 0 the relay has no effect, so that no
  // motion slides along it.
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real s = if x > 0 then 1 else -1;
equation
  der(x) = v;
  der(v) = -3*(v + sqrt(abs(x))*s)/(abs(v) + sqrt(abs(x)) + 1e-12);
end QuasiContinuous;

// Values at 1: the method of Runge and Kutta with steps of 1/20000 and 1/40000.
// expect warning R024 with x > 0
// options --stop-time 3
// solvers auto cvode dopri5 rkf45
// expect x(1) = 0.44355879080 ± 1e-5
// expect v(1) = -0.71941122420 ± 1e-5
// expect x(2.1) = 0 ± 1e-5
// expect v(2.1) = 0 ± 1e-4
// expect x(3) = 0 ± 1e-6
// expect v(3) = 0 ± 1e-5
