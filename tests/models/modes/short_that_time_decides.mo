model ShortThatTimeDecides "Of the discrete variables one is known from time, and closes the "
  + "switch in both positions of the other"
  Real v, i, x(start = 0, fixed = true);
  Boolean closed = time > 0.5, large = x > 10;
equation
  der(x) = 1;
  v = 10;
  0 = if closed then v else if large then i - 1 else i;
end ShortThatTimeDecides;
// expect error T010 line 8 with when closed is true, it shorts
