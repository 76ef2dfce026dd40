// Derivatives in clocked partitions (section 16.8.2): x' = -x with an interval of 0.1, by the
// formulas of the methods.
// expect e(0.05) = 1 ± 1e-12
// expect e(0.35) = 0.9^3 ± 1e-12
// expect i(0.05) = 1 ± 1e-12
// expect i(0.35) = 1/1.1^3 ± 1e-12
// expect t(0.35) = (0.95/1.05)^3 ± 1e-12
// expect v(0.35) = 2*0.9^3 ± 1e-12
// options --stop-time 1
model Discretised
  block Explicit
    Real x(start = 1), u, w[2](start = {1, 2});
  equation
    u = sample(0*time, Clock(Clock(1, 10), "ExplicitEuler"));
    der(x) = u - x;
    der(w) = -w + {u, u};
  end Explicit;
  block Implicit
    parameter String method;
    Real x(start = 1), y, u;
  equation
    u = sample(0*time, Clock(Clock(1, 10), solverMethod = method));
    2*der(x) = u - 2*y;
    y = x;
  end Implicit;
  Explicit explicit;
  Implicit implicit(method = "ImplicitEuler"), trapezoid(method = "ImplicitTrapezoid");
  Real e = hold(explicit.x), i = hold(implicit.x), t = hold(trapezoid.x), v = hold(explicit.w[2]);
end Discretised;
