model PartialDerivativeRejected
  function f
    input Real x;
    input Integer n;
    output Real y = x^n;
  algorithm
  end f;
  function fn = der(f, n);
  Real y = fn(time, 2);
end PartialDerivativeRejected;
// expect error I020 line 8 with not a scalar Real
