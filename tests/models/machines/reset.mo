// After a return without reset, a state continues counting; with reset, it starts again.
// ticksInState starts again in both cases.
// expect a.n(1.5) = 2
// expect a.n(2.5) = 2
// expect b.n(2.5) = 1
// expect a.n(3.5) = 3
// expect a.n(4.5) = 4
// expect b.n(5.5) = 1
// expect b.n(8.5) = 1
// options --stop-time 9
model Reset
  block Count
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end Count;
  Count a, b;
equation
  initialState(a);
  transition(a, b, ticksInState() >= 2, immediate = false, reset = true);
  transition(b, a, true, immediate = false, reset = false);
end Reset;
