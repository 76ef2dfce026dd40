// expect ok
connector Pin
  Real v;
  flow Real i;
end Pin;
record Point
  Real x = 1;
  parameter Real y = 2;
  constant Integer n = 3;
end Point;
operator record Pair
  Real a = 1;
  Real b = 2;
end Pair;
model M
  Point p;
  Pair q;
  Pin pin;
equation
  pin.v = p.x + q.a;
end M;
