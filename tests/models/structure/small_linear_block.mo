model SmallLinearBlock "A bridge of two half resistances between capacitors: solved when "
  + "compiled, not when run"
  parameter Real R1 = 1, R2 = 3, C = 0.5;
  Real a(start = 2, fixed = true), b(start = 0, fixed = true);
  Real middle, i;
equation
  C*der(a) = -i;
  C*der(b) = i;
  R1*i = a - middle;
  R2*i = middle - b;
end SmallLinearBlock;
// The difference a - b falls with the rate 2/(C (R1 + R2)) = 1.
// options --tolerance 1e-9 --stop-time 1
// expect a(1) = 1 + exp(-1) ± 1e-7
// expect b(1) = 1 - exp(-1) ± 1e-7
// expect i(1) = exp(-1)/2 ± 1e-7
// expect middle(1) = 1 + exp(-1) - exp(-1)/2 ± 1e-7
// expect equations SYSTEM OF 2 SIMULTANEOUS EQUATIONS
// expect equations SOLVED SYSTEM OF EQUATIONS
