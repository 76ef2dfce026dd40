// expect error F019 line 9 with two transitions from 'a' have priority 1
model EqualPriorities
  block S
  end S;
  S a, b, c;
equation
  initialState(a);
  transition(a, b, true, immediate = false);
  transition(a, c, true, immediate = false);
end EqualPriorities;
