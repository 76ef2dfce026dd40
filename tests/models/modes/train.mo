// A wagon runs into four others, which couple one after the other. Each time the momentum is kept:
// 5/2, 5/3, 5/4, 1.
// expect event 0.2
// expect event 0.6
// expect event 1.2
// expect event 2
// expect v[1](1) = 5/3 ± 1e-6
// expect v[1](2.5) = 1 ± 1e-6
// expect v[5](3) = 1 ± 1e-6
// solvers auto cvode dopri5 inline-radau
// options --stop-time 3
model Train
  parameter Integer n = 5;
  Real x[n](start = {0, 1, 2, 3, 4}, each fixed = true), v[n](start = {5, 0, 0, 0, 0},
    each fixed = true), F[n - 1];
  Boolean c[n - 1](each start = false, each fixed = true);
equation
  der(x) = v;
  der(v[1]) = -F[1];
  der(v[n]) = F[n - 1];
  for i in 2:n - 1 loop
    der(v[i]) = F[i - 1] - F[i];
  end for;
  for i in 1:n - 1 loop
    when x[i] >= x[i + 1] then
      c[i] = true;
    end when;
    0 = if c[i] then v[i] - v[i + 1] else F[i];
  end for;
end Train;
