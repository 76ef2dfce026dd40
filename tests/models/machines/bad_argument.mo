// expect error I105 line 8 with has no argument prio
model BadArgument
  block S
  end S;
  S a, b;
equation
  initialState(a);
  transition(a, b, true, prio = 2);
end BadArgument;
