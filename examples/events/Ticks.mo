model Ticks "A fast and a slow clock, the slow one by counting and by a sample of its own (1999, "
  + "section 2.4)"
  parameter Real T = 1e-3;
  Boolean fast = sample(0, T), slow = sample(0, 5*T);
  Integer n(start = -1, fixed = true), byCount(start = 0, fixed = true), bySample(start = 0,
    fixed = true);
  Integer counter(start = 4, fixed = true), apart(start = 0, fixed = true);
equation
  when fast then
    n = pre(n) + 1;
    counter = if pre(counter) < 4 then pre(counter) + 1 else 0;
    byCount = if counter == 0 then pre(byCount) + 1 else pre(byCount);
  end when;
  when slow then
    bySample = pre(bySample) + 1;
  end when;
  when change(byCount) <> change(bySample) then
    apart = pre(apart) + 1;
  end when;
  annotation(experiment(StopTime = 100, NumberOfIntervals = 10));
end Ticks;
// options --intervals 10
// expect n(100) = 100000
// expect byCount(100) = 20001
// expect bySample(100) = 20001
// expect apart(100) = 0
