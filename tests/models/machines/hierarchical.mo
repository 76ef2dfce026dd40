// Two machines in parallel inside a state, and a variable that states of three levels define
// (section 17.3.5). Counted by hand:
// tick 1 to 3 stateA (2, 4, 6), then stateB down to 0, stateC counts, and again; stateD once count
// is 2, stateY from i > 20 on.
// expect v(0.5) = 2
// expect v(2.5) = 6
// expect v(3.5) = 5
// expect v(8.5) = 0
// expect state1.count(9.5) = 1
// expect v(10.5) = 2
// expect v(18.5) = 0
// expect state1.count(19.5) = 2
// expect state1.stateY.j(20.5) = 0
// expect state1.stateX.i(20.5) = 21
// expect state1.stateY.j(21.5) = 1
// expect v(21.5) = 0
// expect v(22.5) = 5
// expect v(25.5) = 20
// expect v(26.5) = 22
// expect state1.count(26.5) = 0
// expect state1.stateX.i(26.5) = 1
// expect v(27.5) = 21
// options --stop-time 30
model Hierarchical
  block State1
    inner Integer count(start = 0);
    inner outer output Integer v;
    block StateA
      outer output Integer v;
    equation
      v = previous(v) + 2;
    end StateA;
    block StateB
      outer output Integer v;
    equation
      v = previous(v) - 1;
    end StateB;
    block StateC
      outer output Integer count;
    equation
      count = previous(count) + 1;
    end StateC;
    block StateD
    end StateD;
    block StateX
      outer input Integer v;
      Integer i(start = 0);
      Integer w;
    equation
      i = previous(i) + 1;
      w = v;
    end StateX;
    block StateY
      Integer j(start = 0);
    equation
      j = previous(j) + 1;
    end StateY;
    StateA stateA;
    StateB stateB;
    StateC stateC;
    StateD stateD;
    StateX stateX;
    StateY stateY;
  equation
    initialState(stateA);
    transition(stateA, stateB, v >= 6, immediate = false);
    transition(stateB, stateC, v == 0, immediate = false);
    transition(stateC, stateA, true, immediate = false, priority = 2);
    transition(stateC, stateD, count >= 2, immediate = false);
    initialState(stateX);
    transition(stateX, stateY, stateX.i > 20, immediate = false, reset = false);
  end State1;
  block State2
    outer output Integer v;
  equation
    v = previous(v) + 5;
  end State2;
  inner Integer v(start = 0);
  State1 state1;
  State2 state2;
equation
  initialState(state1);
  transition(state1, state2, activeState(state1.stateD) and activeState(state1.stateY),
    immediate = false);
  transition(state2, state1, v >= 20, immediate = false);
end Hierarchical;
