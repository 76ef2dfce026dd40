model ChangeTerminal
  Integer i = integer(4*time);
  Integer n(start = 0, fixed = true);
  Boolean ended(start = false, fixed = true), begun(start = false, fixed = true);
equation
  when change(i) then
    n = pre(n) + 1;
  end when;
  when terminal() then
    ended = true;
  end when;
  when initial() then
    begun = true;
  end when;
  annotation(experiment(StopTime = 1.1));
end ChangeTerminal;
// solvers cvode rk4
// expect begun(0) = 1 ± 0
// expect n(1.1) = 4 ± 0
// expect ended(1.0) = 0 ± 0
// expect ended(1.1) = 1 ± 0
// expect event 0.25
// expect event 0.5
// expect event 1.0
