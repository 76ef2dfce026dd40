model ShortInTheRun "The solution decides that the source is shorted: seen when it happens"
  Real v = 10, i, x(start = 0, fixed = true);
  Boolean large = x > 0.5;
equation
  der(x) = 1;
  0 = if large then v else i - 2;
end ShortInTheRun;
// expect error R001 line 6 with time = 0.5
