// A state is left once the machines inside it are in final states: a after 2 ticks, b after 4.
// expect done(3.5) = 0
// expect done(4.5) = 1
// options --stop-time 6
model Synchronize
  block Wait
  end Wait;
  block Parallel
    Wait a1, a2, b1, b2, b3;
  equation
    initialState(a1);
    transition(a1, a2, ticksInState() >= 2, immediate = false);
    initialState(b1);
    transition(b1, b2, ticksInState() >= 2, immediate = false);
    transition(b2, b3, true, immediate = false);
  end Parallel;
  block Done
    outer output Integer done;
  equation
    done = 1;
  end Done;
  inner Integer done(start = 0);
  Parallel p;
  Done d;
equation
  initialState(p);
  transition(p, d, true, immediate = false, synchronize = true);
end Synchronize;
