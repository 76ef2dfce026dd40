model Arrays
  parameter Real A[2,2] = [0, 1; -1, 0];
  Real x[2](start = {1, 0}, each fixed = true);
  Real y = x*x, z[2] = transpose(A)*x, s = sum(x), p = product({2, 3}), w[3] = {i^2 for i in 1:3},
    m = max(w);
  Real e[2,2] = A*A, c[2] = cat(1, {x[1]}, x[2:2]), d = x[end];
equation
  der(x) = A*x;
end Arrays;
// expect x[1](1) = cos(1) ± 1e-5
// expect d(1) = -sin(1) ± 1e-5
// expect y(1) = 1 ± 1e-5
// expect z[1](1) = sin(1) ± 1e-5
// expect p(1) = 6 ± 0
// expect w[3](0) = 9 ± 0
// expect m(0) = 9 ± 0
// expect e[1,1](0) = -1 ± 0
// expect c[2](1) = -sin(1) ± 1e-5
