// expect error F019 with is not a state of a state machine
model NoState
  block S
  end S;
  S a, b;
  Boolean x = activeState(b);
equation
  initialState(a);
end NoState;
