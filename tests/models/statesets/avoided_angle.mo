// A crank whose angle is avoided and whose tip is not: elements of the rotation are eliminated for
// good, the angle stays a candidate.
// A constant coefficient is worth more than what stateSelect.avoid asks for.
// expect phi(1.0) = 2 ± 1e-6
// expect x(1.0) = cos(2) ± 1e-6
// expect equations STATES phi
model avoided_angle
  Real phi(start = 0, fixed = true, stateSelect = StateSelect.avoid), x, y, u, v, tau, w(start = 2,
    fixed = true);
equation
  x = cos(phi);
  y = sin(phi);
  der(x) = u;
  der(y) = v;
  der(phi) = w;
  der(u) + der(v) = -u*w - v*w + tau;
  der(w) = 0;
  annotation(experiment(Tolerance = 1e-8));
end avoided_angle;
