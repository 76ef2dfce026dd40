model Pendulum "A mass on a rod in Cartesian coordinates: index 3; small swings"
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real m(unit = "kg") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0.1, fixed = true);
  Real y(unit = "m", start = -1);
  Real vx(unit = "m/s", start = 0, fixed = true);
  Real vy(unit = "m/s");
  Real F(unit = "N") "force in the rod";
  Real drift = x^2 + y^2 - L^2 "how far the rod is from its length, squared";
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x/L;
  m*der(vy) = -F*y/L - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10));
end Pendulum;

// Compared with phi'' = -g/L sin(phi), phi(0) = asin(0.1), integrated with 200,000 steps of a
// method of order 4.
// options --tolerance 1e-10
// solvers cvode dopri5 rk4
// expect x(1) = -0.0999934528 ± 1e-6
// expect vy(1) = 0.0003592794 ± 1e-6
// expect x(5) = -0.0998363620 ± 1e-6
// expect vy(5) = 0.0017926355 ± 1e-6
// expect x(10) = 0.0993459674 ± 1e-6
// expect vy(10) = 0.0035618221 ± 1e-6
// expect F(10) = 9.76275488 ± 1e-5
// expect max drift <= 1e-6
// expect min drift >= -1e-6
