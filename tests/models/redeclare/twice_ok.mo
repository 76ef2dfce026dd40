// expect y(0) = 1 ± 1e-12
model A
  Real x = 1;
end A;
model B
  replaceable A a;
end B;
model C
  extends B(redeclare replaceable A a);
end C;
model D
  extends C(redeclare A a);
end D;
model M
  D d;
  Real y = d.a.x;
end M;
