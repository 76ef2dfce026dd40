// Two carts meet at x = 1 and stay together from then on, held in their place: three equations are
// differentiated, and the momentum is kept.
// expect event 0.5
// expect v1(1) = 1.5 ± 1e-8
// expect v2(1) = 1.5 ± 1e-8
// expect x2(2) = 1 + 1.5*1.5 ± 1e-7
// solvers auto cvode dopri5 rk4 inline-bdf2 inline-radau
// options --stop-time 2
model Dock
  Real x1(start = 0, fixed = true), v1(start = 2, fixed = true), x2(start = 1, fixed = true),
    v2(start = 0, fixed = true), F;
  Boolean docked(start = false, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  3*der(v1) = -F;
  der(v2) = F;
  when x1 >= x2 then
    docked = true;
  end when;
  0 = if docked then x1 - x2 else F;
end Dock;
