// timeInState is 0 at the tick at which a state becomes active: immediate, a is left at the first
// tick with 0.25 s or more.
// expect x(0.25) = 0
// expect x(0.35) = 1
// expect x(0.45) = 1
// expect left(0.55) = 1
// expect left(0.65) = 2
// options --stop-time 1
model TimeInState
  block Wait
  end Wait;
  block One
    outer output Integer x;
  equation
    x = 1;
  end One;
  block Two
    outer output Integer left;
  equation
    left = previous(left) + 1;
  end Two;
  inner Integer x(start = 0), left(start = 0);
  Wait a;
  One b;
  Two c;
  Real t = sample(time, Clock(1, 10));
equation
  initialState(a);
  transition(a, b, timeInState() > 0.25 and t > 0);
  transition(b, c, timeInState() > 0.15);
end TimeInState;
