// The example of section 17.1: a1 becomes active at 10 ms and is so for 5 ticks.
// expect x(0.0085) = 0
// expect x(0.0105) = 1
// expect x(0.0145) = 5
// expect x(0.0155) = 5
// expect y(0.0145) = 0
// expect y(0.0155) = 1
// options --stop-time 0.02
model DelayedTicks
  block State
  end State;
  block Counting
    outer output Integer x;
  equation
    x = previous(x) + 1;
  end Counting;
  inner Integer x(start = 0);
  State a0, a2;
  Counting a1;
  Boolean y = activeState(a2);
equation
  initialState(a0);
  transition(a0, a1, sample(time, Clock(1, 1000)) > 0.0095);
  transition(a1, a2, ticksInState() >= 5, immediate = false);
end DelayedTicks;
