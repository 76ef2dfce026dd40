// expect error R003 line 11 with this condition does not hold: der(x) = 0.0
// x > 0.5 needs x = -1, and x <= 0.5 needs x = 1. A jump of the start cannot replace the initial
// equation, because x(0) is not a start value that was asked for.
model NoStartWithRelation
  Real x(start = 1);
  Boolean b;
equation
  b = x > 0.5;
  der(x) = (if b then -1 else 1) - x;
initial equation
  der(x) = 0;
end NoStartWithRelation;
