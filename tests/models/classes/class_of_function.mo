// expect error I002 line 8 with cannot be called
model M
  function f
    input Real x;
    output Real y = x;
  end f;
  class g = f;
  Real y = g(1);
end M;
