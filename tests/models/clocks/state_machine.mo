// expect error I113 with is not yet supported
model StateMachine
  model A
    Integer i(start = 0);
  equation
    i = previous(i) + 1;
  end A;
  A a, b;
equation
  initialState(a);
  transition(a, b, a.i > 3);
end StateMachine;
