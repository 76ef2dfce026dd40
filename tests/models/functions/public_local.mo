// expect error I020 line 6 with must be an input, an output, or protected
model PublicLocal
  function f
    input Real a;
    output Real b;
    Real c;
  algorithm
    c := a;
    b := c;
  end f;
  Real x = f(time);
end PublicLocal;
