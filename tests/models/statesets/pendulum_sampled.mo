// The pendulum with a sampler that is faster than any step: states change at events, too. Its angle
// by other equations is the second method.
// expect max error <= 1e-4
// expect n(5.0) = 2501
model pendulum_sampled
  parameter Real g = 9.81;
  Real x(start = 1, fixed = true), y, vx, vy(start = -7, fixed = true), F;
  Real phi(start = 0, fixed = true), w(start = -7, fixed = true);
  Real error = abs(x - cos(phi)) + abs(y - sin(phi));
  discrete Integer n(start = 0, fixed = true);
  discrete Real held(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x + 0*held;
  der(vy) = -F*y - g;
  x^2 + y^2 = 1;
  der(phi) = w;
  der(w) = -g*cos(phi);
  when sample(0, 0.002) then
    n = pre(n) + 1;
    held = x;
  end when;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end pendulum_sampled;
