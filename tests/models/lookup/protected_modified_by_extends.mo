// expect y(0) = 2 ± 1e-12
model A
protected
  parameter Real x = 1;
public
  Real z = x;
end A;
model B = A(x = 2);
model C
  extends A(x = 2);
end C;
model M
  B b;
  C c;
  Real y = 0.5*(b.z + c.z);
end M;
