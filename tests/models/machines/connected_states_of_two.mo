// Outputs of states of different machines cannot be connected to each other.
// model ConnectedStates.Top
// expect error F002 with two outputs
package ConnectedStates
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
  model Top
    S a, b;
    T t;
  equation
    connect(a.y, t.u);
    connect(b.y, t.u);
    initialState(a);
    initialState(b);
  end Top;
end ConnectedStates;
