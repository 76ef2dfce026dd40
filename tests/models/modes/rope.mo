// A stone falls beside the point to which a rope of length 1 holds it: taut when y = -sqrt(0.75).
// Then only the velocity along the circle is left, and the
// stone swings on, with its energy kept.
// expect event sqrt(2*sqrt(0.75)/9.81)
// expect E(0.42) = 0 ± 1e-5
// expect E(0.5) = 0.25*9.81*sqrt(0.75) - 9.81*sqrt(0.75) ± 5e-5 [inline-bdf2 1e-5]
// expect E(1) = 0.25*9.81*sqrt(0.75) - 9.81*sqrt(0.75) ± 5e-5 [inline-bdf2 1e-5]
// expect max far <= 1.00001
// solvers auto cvode dopri5 inline-bdf2 inline-radau
// options --stop-time 1 --tolerance 1e-6
model Rope
  Real x(start = 0.5, fixed = true), y(start = 0, fixed = true), vx(start = 0, fixed = true),
    vy(start = 0, fixed = true);
  Real lambda, s, E, far = x^2 + y^2;
  Boolean taut = s > 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - 9.81;
  lambda = if taut then s else 0;
  1 - x^2 - y^2 = if taut then 0 else -s;
  E = (vx^2 + vy^2)/2 + 9.81*y;
end Rope;
