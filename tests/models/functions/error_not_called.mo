model ErrorNotCalled
  function error
    input String text;
  external "C" ModelicaError(text);
  end error;
  function root
    input Real x;
    output Real y;
  algorithm
    if x < 0 then
      error("no root of " + String(x));
    end if;
    y := sqrt(x);
  end root;
  Real y = root(time);
  // expect y(1) = 1 ± 1e-12
end ErrorNotCalled;
