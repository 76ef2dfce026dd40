model A
  function f
    input Real u;
    output Real y;
  algorithm
    u := 2;
    y := u;
  end f;
  Real x = f(time);
end A;
// expect error I116 line 6
