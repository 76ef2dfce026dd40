model DeadlockBroken "The same with a left limit in between: no loop"
  Real x(start = 0, fixed = true);
  discrete Real a(start = 0, fixed = true), b(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 1 then
    a = pre(b) + 1;
  end when;
  when x > 2 then
    b = a + 1;
  end when;
end DeadlockBroken;
// options --stop-time 3
// expect a(1.5) = 1 ± 1e-12
// expect b(1.5) = 0 ± 1e-12
// expect b(3) = 2 ± 1e-12
// expect event 1
// expect event 2
