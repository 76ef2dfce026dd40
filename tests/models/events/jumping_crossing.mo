// The crossing function jumps without an event: only halving finds the instant.
// solvers high
// expect at(1.0) = sqrt(0.3) ± 1e-13
// expect events = 1
model JumpingCrossing "a relation whose function jumps without an event"
  Real x(start = 0, fixed = true);
  Real y = noEvent(if x*x > 0.3 then -1 else 1e-9);
  discrete Real at(start = 0, fixed = true);
equation
  der(x) = 1;
  when y < 0 then
    at = time;
  end when;
  annotation(experiment(StopTime = 1));
end JumpingCrossing;
