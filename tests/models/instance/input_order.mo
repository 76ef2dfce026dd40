// Inputs of base classes come first, through any number of levels.
// expect flat y = c(time, 2.0, 3)
// expect ok
partial function a
  input Real p;
  output Real r;
end a;
partial function b
  extends a;
  input Real q;
end b;
function c
  extends b;
  input Integer k;
algorithm
  r := p + 10*q + 100*k;
end c;
model Order
  Real y = c(time, 2, 3);
end Order;
