// The same declaration inherited twice is one.
// expect flat z = x
// expect ok
partial model Base
  Real x;
end Base;
partial model Left extends Base; Real y = time; end Left;
partial model Right extends Base; equation x = 2*time; end Right;
model Diamond
  extends Left;
  extends Right;
  Real z;
equation
  z = x;
end Diamond;
