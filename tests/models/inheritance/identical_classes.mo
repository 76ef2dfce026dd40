// expect x(0) = 2 ± 1e-12
model Base
  model A
    Real x = 2;
  end A;
end Base;
model M
  extends Base;
  model A
    Real x = 2;
  end A;
  A a;
  Real x = a.x;
end M;
