// One linear block of 10,000 unknowns with a coefficient that varies: a long resistor ladder, fed
// at one end. Far from the other
// end the voltages fall by a constant factor, the root r < 1 of r^2 - (2 + g) r + 1 = 0.
model WideLinear
  parameter Integer n = 10000;
  Real v[n];
  Real g = 1 + time;
  Real r = 1 + g/2 - sqrt((1 + g/2)^2 - 1);
  Real err = abs(v[2] - r) + abs(v[3] - r^2) + abs(v[10] - r^9);
equation
  v[1] = 1;
  for i in 2:n - 1 loop
    (v[i - 1] - v[i]) + (v[i + 1] - v[i]) = g*v[i];
  end for;
  v[n] = 0;
end WideLinear;
// options --intervals 10
// expect v[2](0) = (3 - sqrt(5))/2 ± 1e-12
// expect v[2](1) = 2 - sqrt(3) ± 1e-12
// expect max err <= 1e-12
