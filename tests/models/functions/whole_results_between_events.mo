// Integer, Boolean and enumeration results of functions of continuous arguments follow the
// arguments,
// and so do variables that depend on them.
// expect kind(0.2) = 1
// expect kind(0.7) = 2
// expect late(0.2) = 0
// expect late(0.7) = 1
// expect doubled(0.7) = 5
// expect phase(0.7) = 3
// expect y(0.2) = 2
// expect y(0.7) = 1
model whole_results_between_events
  type Phase = enumeration(solid, liquid, gas);
  function classify
    input Real x;
    output Integer kind;
    output Boolean late;
  algorithm
    kind := if x > 0.5 then 2 else 1;
    late := x > 0.6;
  end classify;
  function phaseOf
    input Real x;
    output Phase phase;
  algorithm
    phase := if x > 0.5 then Phase.gas else Phase.solid;
  end phaseOf;
  Integer kind;
  Boolean late;
  Integer doubled = 2*kind + 1;
  Phase phase = phaseOf(time);
  Real y = if phase == Phase.gas then 1 else 2;
equation
  (kind, late) = classify(time);
end whole_results_between_events;
