model A
  function f input Real u; output Real y; algorithm y := u; end f;
  Real x = f(1, 2);
  Real z = f();
end A;
// expect error I104 line 3
// expect error I107 line 4
