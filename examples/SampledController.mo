model SampledController "A second-order plant under a sampled controller (section 2.3 of the 1999 "
  + "report)"
  parameter Real Ts(unit = "s") = 0.1 "sample interval";
  parameter Real a = 0.6, b = 0.5, c = -1.2, d = 6;
  parameter Real r = 1 "reference";
  discrete Real xd(start = 0, fixed = true) "state of the controller";
  discrete Real u(start = 0, fixed = true) "held control";
  Real y(start = 0, fixed = true) "position of the plant";
  Real v(start = 0, fixed = true) "its speed";
equation
  der(y) = v;
  der(v) = u - 2*v;
  when sample(0, Ts) then
    xd = a*pre(xd) + b*(r - y);
    u = c*pre(xd) + d*(r - y);
  end when;
  annotation(experiment(StopTime = 5));
end SampledController;

// Between samples the plant is linear with constant u: v(T) = v e + u (1 - e)/2, y(T) = y + v (1 -
// e)/2 + u (T/2 - (1 - e)/4),
// e = exp(-2 T). The values are those of this recursion.
// options --tolerance 1e-8
// solvers cvode dopri5 rk4 euler
// expect y(0.1) = 0.028096129617 ± 1e-6 [euler 2e-2]
// expect y(1) = 0.996225497800 ± 1e-6 [euler 2e-2]
// expect y(2.5) = 1.015458420734 ± 1e-6 [euler 2e-2]
// expect y(5) = 1.003793400747 ± 1e-6 [euler 2e-2]
// expect u(1.05) = -0.336843486288 ± 1e-5 [euler 0.1]
// expect xd(2.55) = -0.051804853152 ± 1e-6 [euler 2e-2]
// expect event 0.3 ± 1e-15
// expect event 4.9 ± 1e-14
// expect events = 51
