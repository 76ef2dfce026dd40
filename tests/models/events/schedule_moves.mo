// A time event whose instant is put off at that same instant does not happen. The waiting starts at
// 1, when it was enabled, not at 0.
// expect events = 3
// expect event 1
// expect event 2
// expect event 3
// expect n(1.9) = 0
// expect n(2.1) = 1
// expect done(2.9) = 0
// expect done(3.1) = 1
model ScheduleMoves
  discrete Real since(start = 0, fixed = true);
  Boolean enabled = time >= 1, late = enabled and time >= since + 1,
    early = enabled and time >= since + 2;
  Boolean done(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when enabled then
    since = time;
  end when;
  when early then
    done = true;
  end when;
  when late then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end ScheduleMoves;
