// Sections 3.7.5, 3.8.4 and 4.5: what varies more than it may, seen once the equations are known.
// options --all
package VariabilityLaterRejected
  model DiscreteNotGiven
    Real x = time;
    discrete Real d;
  equation
    d = 2*x; // error D011
  end DiscreteNotGiven;
  model DerivativeOfDiscrete
    discrete Real d(start = 1);
    Real y = der(d); // error D006
  equation
    when time > 1 then
      d = 2;
    end when;
  end DerivativeOfDiscrete;
  model PreOfContinuous
    Real x = time;
    Real y = pre(x); // error D007
  end PreOfContinuous;
  model Cyclic
    parameter Real p = 2*q; // error D002
    parameter Real q = sin(r);
    parameter Real r = p;
  end Cyclic;
  model TwoWhens
    discrete Real d(start = 1);
  equation
    when time > 1 then
      d = 2;
    end when;
    when time > 2 then
      d = 3; // error D009
    end when;
  end TwoWhens;
  model TooMany // error F001
    Real x;
  equation
    x = 1;
    x = time;
  end TooMany;
  model TooFew // error F001
    Real x, y;
  equation
    x = 1;
  end TooFew;
end VariabilityLaterRejected;
