// expect error F019 line 8 with it must be at least 1
model BadPriority
  block S
  end S;
  S a, b;
equation
  initialState(a);
  transition(a, b, true, immediate = false, priority = 0);
end BadPriority;
