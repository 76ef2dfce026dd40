// expect error I020 with must name an input
model D
  function f
    input Real x;
    output Real y = x*x;
  algorithm
    annotation(derivative(noDerivative=z) = df);
  end f;
  function df
    input Real x;
    input Real dx;
    output Real dy = 2*x*dx;
  algorithm
  end df;
  Real y = f(time);
end D;
