// Three springs meet in a point without mass: position, length, direction and force of each are one
// nonlinear loop. Tearing the position (from which
// all others follow) leaves few unknowns; tearing what occurs most often would leave a dozen.
// expect x(1) = 0 ± 1e-7
// expect y(1) = 0 ± 1e-8
// expect s1(1) = 1 ± 1e-7
// expect equations TORN VARIABLES: 2 of 19
model ThreeSprings
  parameter Real c = 20, s0 = 0.1;
  Real p(start = 1, fixed = true);
  Real x(start = 0.2), y(start = 0.1);
  Real rx1, ry1, ex1, ey1, s1, f1;
  Real rx2, ry2, ex2, ey2, s2, f2;
  Real rx3, ry3, ex3, ey3, s3, f3;
  Real fx, fy;
equation
  der(p) = -p;
  rx1 = 1 - x;
  ry1 = 0 - y;
  rx2 = -0.5 - x;
  ry2 = sqrt(3)/2 - y;
  rx3 = -0.5 - x;
  ry3 = -sqrt(3)/2 - y;
  s1 = sqrt(rx1^2 + ry1^2);
  s2 = sqrt(rx2^2 + ry2^2);
  s3 = sqrt(rx3^2 + ry3^2);
  ex1 = rx1/s1; ey1 = ry1/s1;
  ex2 = rx2/s2; ey2 = ry2/s2;
  ex3 = rx3/s3; ey3 = ry3/s3;
  f1 = c*(s1 - s0);
  f2 = c*(s2 - s0);
  f3 = c*(s3 - s0);
  fx = f1*ex1 + f2*ex2 + f3*ex3;
  fy = f1*ey1 + f2*ey2 + f3*ey3;
  fx = p - exp(-time);
  fy = 0;
end ThreeSprings;
