model SuperTwistingMoving "Second-order sliding along a surface that moves with time"
  // After a finite time x follows 0.2*sin(time) with v = 0, up to a deviation that
  // decays. The mean of s balances the disturbance.
  Real x(start = -0.7, fixed = true);
  Real v(start = 0.4, fixed = true);
  Real y = x - 0.2*sin(time);
  Real s = if x > 0.2*sin(time) then 1 else -1;
equation
  der(x) = -2.2*sqrt(abs(y))*s + v + 0.2*cos(time);
  der(v) = -3.5*s + 1.2*sin(2*time);
end SuperTwistingMoving;

// expect warning R019
// expect x(4) = 0.2*sin(4) ± 1e-5
// expect x(6) = 0.2*sin(6) ± 1e-6
// expect v(6) = 0 ± 1e-6
// expect s(6) = 1.2*sin(12)/3.5 ± 1e-5
// options --stop-time 6 --tolerance 1e-8
// solvers auto cvode dopri5 radau
