model OpenCurrentSource
  Real v, i;
  Boolean open = time > 0.5;
equation
  i = 2 + sin(time);
  0 = if open then i else v;
end OpenCurrentSource;
// expect error T010 line 6 with disconnects a current source
