// expect x(0) = 5 ± 1e-12
// expect y(0) = 1 ± 1e-12
// "= break" takes the inherited declaration equation away (section 7.2.7).
model A
  Real x = 1;
end A;
model B
  extends A(x = break);
equation
  x = 5;
end B;
model M
  A a;
  B b;
  Real x = b.x;
  Real y = a.x;
end M;
