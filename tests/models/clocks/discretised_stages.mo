// Solver methods with stages between two ticks (section 16.8.2). x' = -x with an interval of 0.1
// is multiplied by a polynomial in each interval. Halfway, inputs are the mean of both ticks:
// s' = u, with u = sin(time) at ticks, is the sum of these means.
// expect m(0.05) = 1 ± 1e-12
// expect m(0.35) = (1 - 0.1 + 0.1**2/2)**3 ± 1e-12
// expect r(0.35) = (1 - 0.1 + 0.1**2/2 - 0.1**3/6 + 0.1**4/24)**3 ± 1e-12
// expect v(0.35) = 2*(1 - 0.1 + 0.1**2/2 - 0.1**3/6 + 0.1**4/24)**3 ± 1e-12
// expect ms(0.25) = 0.1*(sin(0.1) + sin(0.2)/2) ± 1e-12
// expect rs(0.25) = 0.1*(sin(0.1) + sin(0.2)/2) ± 1e-12
// expect rz(0.35) = (1 - 0.1 + 0.1**2/2 - 0.1**3/6 + 0.1**4/24)**3 ± 1e-9
// expect x(0.35) = (0.95/1.05)**3 ± 1e-12
// options --stop-time 1
model DiscretisedStages
  block Stages
    parameter String method;
    Real x(start = 1), y, u, o, s(start = 0), w[2](start = {1, 2}), z(start = 1);
    Integer n(start = 0);
  equation
    u = sample(sin(time), Clock(Clock(1, 10), solverMethod = method));
    o = sample(0*time);
    2*der(x) = o - 2*y;
    y = x;
    der(s) = if n >= 0 then u else o;
    der(w) = -w + {o, o};
    der(z) + exp(der(z)) = exp(-z) - z + o "nonlinear in the derivative";
    when u > 0.15 then
      n = pre(n) + 1;
    end when;
  end Stages;
  Stages mid(method = "ExplicitMidPoint2"), rk(method = "ExplicitRungeKutta4");
  Stages own(method = "External");
  Real m = hold(mid.x), r = hold(rk.x), v = hold(rk.w[2]), x = hold(own.x);
  Real ms = hold(mid.s), rs = hold(rk.s), rz = hold(rk.z);
end DiscretisedStages;
