// expect a(0) = 2 ± 1e-12
// expect b(0) = 20 ± 1e-12
partial function F
  input Real u;
  output Real y;
end F;
function Twice
  extends F;
algorithm
  y := 2*u;
end Twice;
function More
  extends F;
algorithm
  y := 20*u;
end More;
model D
  outer function f = F;
  Real y = f(1);
end D;
model P
  inner function f = Twice;
  D d;
end P;
model Q
  inner function f = More;
  D d;
end Q;
model M
  P p;
  Q q;
  Real a = p.d.y;
  Real b = q.d.y;
end M;
