model A
  function f
    input Real u;
    output Real y;
  algorithm
    assert(u < 0.5, "u is too large");
    y := u;
  end f;
  Real x(start=0,fixed=true);
equation
  der(x) = 1 + f(x);
end A;
// expect error R007 line 11
