// A section that reads a continuous variable only in a when computes discrete variables.
// expect level(0.9) = 1
// expect level(1.5) = 2
// expect seen(1.5) = 2
// expect high(0.5) = 0
// expect high(1.5) = 1
model ReadsInWhen
  Real x = 2*time;
  Boolean tick = time >= 1;
  Integer level, seen(start = 0, fixed = true);
  Boolean high;
algorithm
  level := if tick then 2 else 1;
  when tick then
    seen := integer(x + 1e-6);
  end when;
  high := seen > 1 and level > 1;
  annotation(experiment(StopTime = 2));
end ReadsInWhen;
