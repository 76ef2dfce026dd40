// expect error F019 line 8 with both initial states of one machine
model TwoInitial
  block S
  end S;
  S a, b;
equation
  initialState(a);
  initialState(b);
  transition(a, b, true, immediate = false);
end TwoInitial;
