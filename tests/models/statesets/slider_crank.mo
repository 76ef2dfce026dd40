// A rod longer than its crank: the crank turns all the way round. Energy and the closed loop are
// the checks.
// expect max energy_error <= 1e-4
// expect max gap <= 1e-6
// expect max a >= 12
model slider_crank
  parameter Real r = 1, l = 1.2, J = 1, m = 1;
  Real a(start = 0.3, fixed = true), b, s, w, v, T;
  Real energy_error = abs(J*w^2/2 + m*v^2/2 - 8);
  Real gap = abs(r*sin(a) + l*sin(b));
initial equation
  J*w^2/2 + m*v^2/2 = 8;
equation
  der(a) = w;
  der(s) = v;
  r*sin(a) + l*sin(b) = 0;
  s = r*cos(a) + l*cos(b);
  m*der(v) = -T*cos(b);
  J*der(w) = r*T*sin(b - a);
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end slider_crank;
