// A solver method determines a clocked state at each tick; nothing sets it anew in between.
// expect error D001 line 12 with reinit: such clocked partitions are not simulated yet
model Reinit
  Real x(start = 0, fixed = true);
  Real u;
equation
  u = sample(time, Clock(1, 10));
  when Clock(Clock(1, 10), solverMethod = "ExplicitEuler") then
    der(x) = u;
  end when;
  when u > 0.5 then
    reinit(x, 0);
  end when;
end Reinit;
