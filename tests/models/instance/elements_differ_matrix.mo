// expect y[1](1) = 3*exp(-3) ± 1e-6
// expect y[2](1) = 3*exp(-4) ± 1e-6
// expect z(1) = 3*exp(-9) ± 1e-6
// options --tolerance 1e-8
model Decays
  parameter Integer n = 1;
  parameter Real k = 2;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = -k*i*x[i];
  end for;
end Decays;
model Matrix
  Decays s[2, 2](n = [1, 2; 3, 4], k = [1, 2; 3, 4], x(each start = 3));
  Real y[2] = s[2, :].x[1];
  Real z = s[2, 1].x[3];
end Matrix;
