// Delays in arrays, in arrays of components, in algorithms and under pre-sampled signals
// expect y[2](2.0) = 2*cos(1.5) ± 1e-8
// expect z(2.0) = 3*cos(1.5) + 1 ± 1e-8
// expect line[3].y(2.0) = cos(2 - 0.3) ± 1e-8
// expect q(1.05) = 1
// expect q(1.15) = 2
// solvers cvode dopri5 rk4
// options --stop-time 2 --tolerance 1e-8
model Line
  parameter Real T = 0.1;
  input Real u;
  Real y;
equation
  y = delay(u, T);
end Line;
model Arrays
  Real u = cos(time);
  Real y[3] = {delay(i*u, 0.5) for i in 1:3};
  Real z, q;
  discrete Real k(start = 0, fixed = true);
  Line line[3](each T = 0.1);
equation
  line[1].u = u;
  for i in 2:3 loop
    line[i].u = line[i - 1].y;
  end for;
  when sample(0.6, 0.4) then
    k = pre(k) + 1;
  end when;
  q = delay(k, 0.1);
algorithm
  z := delay(3*u, 0.5);
  z := z + 1;
end Arrays;
