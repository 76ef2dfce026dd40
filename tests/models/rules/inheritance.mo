// Section 7.1: merging of inherited elements, order, visibility, kinds of classes.
// solvers cvode
// expect outerWins(0) = 3 ± 1e-12
// expect twoLevels(0) = 12 ± 1e-12
// expect once(0) = 1 ± 1e-12
// expect order(0) = 21 ± 1e-12
// expect fromBelow(0) = 5 ± 1e-12
// expect ofRecord(0) = 7 ± 1e-12
// expect visible(0) = 4 ± 1e-12
// expect localType(0) = 2 ± 1e-12
// expect equationKept(0) = 9 ± 1e-12
package Inheritance
  model A
    parameter Real a = 0, b = 0;
  end A;
  model B
    extends A(b = 2);
  end B;
  model C
    extends B(a = 10);
    Real sum_ = a + b;
  end C;
  model Diamond
    extends A;
    extends B;
    extends A(a = 1);
    Real y = a "the first of identical elements is kept" annotation(Evaluate = false);
  end Diamond;
  function F
    input Real a;
    input Real b;
  end F;
  function G
    extends F;
    input Real a;
    output Real y = 2*a + b;
  end G;
  model Below
    Real y = k + c.x;
    K c "declared by a class that is inherited further down";
    extends Constants;
  end Below;
  partial model Constants
    constant Real k = 2;
    model K
      Real x = 3;
    end K;
  end Constants;
  record R
    Real x = 7;
  end R;
  model FromRecord
    extends R;
    Real y = x;
  end FromRecord;
  model Hides
  protected
    parameter Real hidden = 4;
  public
    Real shown = hidden;
  end Hides;
  model Shows
    extends Hides(hidden = 4);
    Real y = shown;
  end Shows;
  type Length = Real(unit = "m");
  type Height
    extends Length(min = 0);
  end Height;
  model SameEquation
    Real x;
  equation
    x = 9;
  end SameEquation;
  model KeepsEquation
    extends SameEquation;
    Real y = x;
  end KeepsEquation;
  model All
    B bcomp(b = 3);
    C c;
    Diamond diamond;
    Below below;
    FromRecord fromRecord;
    Shows shows;
    KeepsEquation keeps;
    Height h = 2;
    Real outerWins = bcomp.b, twoLevels = c.sum_, once = 1 + 0*diamond.y, order = G(10, 1),
      fromBelow = below.y, ofRecord = fromRecord.y, visible = shows.y,
      localType = h, equationKept = keeps.y;
  end All;
end Inheritance;
