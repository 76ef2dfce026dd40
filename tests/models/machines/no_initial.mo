// expect error F019 line 7 with has no initial state
model NoInitial
  block S
  end S;
  S a, b;
equation
  transition(a, b, true, immediate = false);
end NoInitial;
