// A flow that comes to rest except for noise, far below the tolerance. Both branches agree at zero,
// so nothing slides. The relation is evaluated literally there, and the run continues. At time 1
// the flow comes back and the relation makes events again. Up to then y = 0.05*(1 - exp(-40*time)),
// from then on y' = m = 1 - time.
// expect warning R024 with m >= 0
// expect y(0.9) = 0.05*(1 - exp(-36)) ± 1e-6
// expect y(1.5) = 0.05 - 0.125 ± 1e-5
// solvers auto cvode dopri5 radau
// options --stop-time 1.5 --tolerance 1e-5
model NoiseAtZero
  Real m = (if time < 1 then exp(-40*time) else 1 - time) + 1e-9*s;
  Real s(start = 0, fixed = true), c(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(s) = 1e4*c;
  der(c) = -1e4*s;
  der(y) = if m >= 0 then 2*m else m;
end NoiseAtZero;
