// The condition of an immediate transition must not depend on results of the state at the same
// tick.
// expect error F019 line 13 with depends on 'a.i', which state 'a' computes
model ImmediateLoop
  block A
    Integer i(start = 0);
  equation
    i = previous(i) + 1;
  end A;
  A a, b;
equation
  initialState(a);
  transition(a, b, a.i > 3);
end ImmediateLoop;
