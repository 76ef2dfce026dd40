// Outputs of several states may be connected to one input: it has the value of the active one
// (section 17.3.6).
// expect y(1.5) = 2
// expect y(2.5) = 3
// expect y(3.5) = -1
// expect y(5.5) = -3
// expect y(6.5) = -3
// expect z(5.5) = -6
// options --stop-time 7
package MergedOutputs
  connector Out = output Integer;
  connector In = input Integer;
  block Up
    Out y(start = 0);
  equation
    y = previous(y) + 1;
  end Up;
  block Down
    Out y(start = 0);
  equation
    y = previous(y) - 1;
  end Down;
  block Idle
  end Idle;
  block Twice
    In u;
    Out y;
  equation
    y = 2*u;
  end Twice;
  model Top
    Up up;
    Down down;
    Idle idle;
    Twice twice;
    Integer y = twice.u, z = twice.y;
  equation
    connect(up.y, twice.u);
    connect(down.y, twice.u);
    initialState(up);
    transition(up, down, up.y >= 3, immediate = false);
    transition(down, idle, down.y <= -3, immediate = false);
  end Top;
end MergedOutputs;
