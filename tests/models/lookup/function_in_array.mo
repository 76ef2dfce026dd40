// expect error I002 line 10 with an array of components
model A
  function f
    input Real x;
    output Real y = x;
  end f;
end A;
model M
  A a[3];
  Real x = a.f(2);
end M;
