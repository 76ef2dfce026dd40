// expect x(0) = 2 ± 1e-12
model A
  function f
    input Real x;
    output Real y = x;
  end f;
end A;
model M
  A a;
  Real x = a.f(2);
end M;
