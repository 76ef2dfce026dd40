// expect error I117 with hold cannot be used in a function
model ClockFunction
  function f
    input Real u;
    output Real y;
  algorithm
    y := hold(u);
  end f;
  Real y = f(time);
end ClockFunction;
