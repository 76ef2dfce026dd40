// x must be a state, which says nothing of its derivative: the constraint binds velocities alone.
// expect x(1.0) = sin(1) ± 1e-6
// expect equations STATES x
model always_of_position
  Real x(start = 0, fixed = true, stateSelect = StateSelect.always), u, F;
equation
  der(x) = u;
  der(u) = F;
  u = cos(time);
  annotation(experiment(Tolerance = 1e-8));
end always_of_position;
