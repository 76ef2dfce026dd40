// expect error F019 line 9 with is not allowed in a when-equation
model InWhen
  block S
  end S;
  S a, b;
equation
  initialState(a);
  when Clock(1, 10) then
    transition(a, b, true, immediate = false);
  end when;
end InWhen;
