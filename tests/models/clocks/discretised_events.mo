// When-equations with Boolean conditions in a clocked partition with a solver method: conditions
// change only at ticks. x is 0.1, 0.2, 0.3, … at the ticks and passes 0.25 at time 0.3.
// expect n(0.25) = 0
// expect n(0.35) = 1
// expect found(0.35) = 0.3 ± 1e-12
// expect crossed(0.29) = 0
// expect crossed(0.31) = 1
// expect n(0.95) = 1
// expect changes(0.95) = 2
// options --stop-time 1
model DiscretisedEvents
  Real u, x(start = 0);
  Boolean above, late;
  Integer n(start = 0, fixed = true), changes(start = 0, fixed = true);
  discrete Real found(start = 0, fixed = true);
  Boolean crossed = hold(above);
equation
  u = sample(1 + 0*time, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
  der(x) = u;
  above = x > 0.25;
  late = x > 0.65;
  when above then
    n = pre(n) + 1;
    found = x;
  end when;
  when {above, late} then
    changes = pre(changes) + 1;
  end when;
end DiscretisedEvents;
