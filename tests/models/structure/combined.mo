model combined "equations that can be matched and yet depend on each other by their coefficients"
  // options --tolerance 1e-9 --stop-time 2
  // expect max arm <= 1e-7
  // expect max mass <= 1e-7
  // expect max coils <= 1e-6
  // expect equations 2.0*x = y + 1.0
  parameter Real L1 = 2, L2 = 3, M = sqrt(L1*L2), R1 = 1, R2 = 5
    "two coils without leakage have one flux";
  Real x, y, z;
  Real a, b, c "with a matrix of masses of rank one";
  Real i1, i2, v1, v2;
  Real psi(start = 0, fixed = true), j "the flux, and the current that belongs to it";
  Real arm, mass, coils;
initial equation
  a + b + c = 1;
  L1*i1 + M*i2 = 0;
equation
  der(x) = y + z;
  der(y) = x + 2*z;
  2*x - y = 1;
  arm = abs(x - 2/3) + abs(y - 1/3) + abs(z + 1/3);

  der(a) + der(b) + der(c) = -a;
  M*der(a) + M*der(b) + M*der(c) = -M*b;
  3*der(a) + 3*der(b) + 3*der(c) = -3*c;
  mass = abs(a - exp(-time/3)/3) + abs(b - a) + abs(c - a);

  v1 = L1*der(i1) + M*der(i2);
  v2 = M*der(i1) + L2*der(i2);
  sin(time) = R1*i1 + v1;
  v2 = -R2*i2;
  der(psi) = sin(time) - R1*j;
  psi = L1*j - M*M/(L1*R2)*(sin(time) - R1*j);
  coils = abs(i1 - j);
end combined;
