// expect error I117 line 9
model Value
  function f
    input Real a;
    output Real y;
  algorithm
    y := a;
  end f;
  Real x = function f(a=1);
end Value;
