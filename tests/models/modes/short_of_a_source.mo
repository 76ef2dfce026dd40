model ShortOfASource
  Real v, i;
  Boolean closed = time > 0.5;
equation
  v = 10;
  0 = if closed then v else i;
end ShortOfASource;
// expect error T010 line 6 with shorts a voltage source
