model BadNoEvent "TestDiscrete: a Boolean changes only at events, a relation under noEvent "
  + "between them"
  Real u = sin(time);
  Boolean b1 = u > 0.5, b2;
equation
  b2 = noEvent(u > 0.5);
end BadNoEvent;
// expect error D011 line 6
