// The output of a state and that of a block that is not a state cannot be connected.
// expect error F002 with two outputs
model ConnectedStateAndBlock
  connector Out = output Integer;
  connector In = input Integer;
  block S
    Out y(start = 0);
  equation
    y = previous(y) + 1;
  end S;
  block T
    In u;
  end T;
  S a, b;
  T t;
equation
  connect(a.y, t.u);
  connect(b.y, t.u);
  initialState(a);
end ConnectedStateAndBlock;
