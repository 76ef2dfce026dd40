// A class of a partial package can be extended, though not used otherwise.
// expect y(1) = 3 ± 1e-12
package BaseInPartialPackage
  partial package Interfaces
    partial function Scale
      input Real u;
      output Real y;
    end Scale;
    replaceable function other = Scale;
  end Interfaces;
  function triple
    extends Interfaces.Scale;
  algorithm
    y := 3*u;
  end triple;
  model M
    Real y = triple(time);
  end M;
end BaseInPartialPackage;
