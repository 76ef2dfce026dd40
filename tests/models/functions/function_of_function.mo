// A function given to a function that is itself made of one: function applied(f = …).
// expect x(1.0) = 10 ± 1e-12
package P
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;
  function shifted
    extends Scalar;
    input Real by;
  algorithm
    y := u + by;
  end shifted;
  function doubled
    extends Scalar;
    input Scalar f;
    input Real times = 2;
  algorithm
    y := times*f(u);
  end doubled;
  function at
    input Scalar f;
    input Real u;
    output Real y;
  algorithm
    y := f(u);
  end at;
  model M
    Real x = at(function doubled(f=function shifted(by=3*time)), 2);
  end M;
end P;
