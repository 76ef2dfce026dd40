// expect error I107 line 10 with argument b
model Missing
  function f
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := a + b;
  end f;
  Real x = f(1);
end Missing;
