model far_start "start values that no iteration leads away from: a homotopy from zero does"
  // expect max r <= 1e-8
  Real x[3](start={-34.4, -9.1, -29.0}), f[3], r;
  constant Real A[3, 3] = [-0.58, -0.31, 0.49; 0.68, -0.85, -0.76; 0.62, 0.25, 0.54];
  constant Real b[3] = {-0.027422134894350275, 0.08502474376347674, 0.09386915096766549};
equation
  f = {atan(3*x[1])*x[2]^2, atan(3*x[2])*x[3]^2, atan(3*x[3])*x[1]^2};
  A*f + 0.3*x = b;
  r = max(abs(A*{atan(3*x[1])*x[2]^2, atan(3*x[2])*x[3]^2, atan(3*x[3])*x[1]^2} + 0.3*x - b));
end far_start;
