// Derivatives by implicit methods in the when-clause of a clock: x' = -x with an interval of 0.1.
// The inverse of v' = u - v, for a given v: der(v) is the difference of v over an interval.
// expect i(0.05) = 1 ± 1e-12
// expect i(0.35) = 1/1.1^3 ± 1e-12
// expect t(0.35) = (0.95/1.05)^3 ± 1e-12
// expect force(0.35) = sin(0.3) + (sin(0.3) - sin(0.2))/0.1 ± 1e-9
// options --stop-time 1
model DiscretisedWhen
  block Decay
    parameter String method;
    Real x(start = 1), u;
  equation
    when Clock(Clock(1, 10), solverMethod = method) then
      u = sample(0*time);
      der(x) = u - x;
    end when;
  end Decay;
  Decay euler(method = "ImplicitEuler"), trapezoid(method = "ImplicitTrapezoid");
  Real v(start = 0), u, wanted;
  Real i = hold(euler.x), t = hold(trapezoid.x), force = hold(u);
equation
  when Clock(Clock(1, 10), solverMethod = "ImplicitEuler") then
    wanted = sample(sin(time));
    v = wanted;
    der(v) = u - v;
  end when;
end DiscretisedWhen;
