// expect warning R008 line 9 with the argument is large
// expect x(1.0) = 2 ± 1e-9
model warned
  function f
    input Real u;
    output Real v;
  algorithm
    v := 0;
    assert(u < 1.5, "the argument is large", AssertionLevel.warning);
    for i in 1:2 loop
      v := v + 0.5*u;
    end for;
  end f;
  Real x(start = 1, fixed = true);
  Real y = f(x);
equation
  der(x) = 1;
end warned;
