model A
  function f
    input Real u;
    output Real y;
  end f;
  Real x = f(1);
end A;
// expect error I020 line 6
