// expect error F019 with may be active at the same tick
model ParallelDefinition
  block S
    outer output Integer v;
  equation
    v = previous(v) + 1;
  end S;
  inner Integer v(start = 0);
  S a, b;
equation
  initialState(a);
  initialState(b);
end ParallelDefinition;
