// expect z(0) = 2 ± 1e-12
model A
  Real x = 1;
  encapsulated model B
    Real y = 2;
  end B;
end A;
model M
  A.B b;
  Real z = b.y;
end M;
