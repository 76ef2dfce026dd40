// The modification of a constraining clause holds for the redeclaration that it is part of, and for
// each later one (section 7.3.2).
// model OwnConstraint.Test
// expect x(0) = 5
// expect y(0) = 21
// expect later.x(0) = 10
// expect later.y(0) = 22
package OwnConstraint
  record Base
    parameter Real table[:, 2];
    parameter Real k = 0;
  end Base;
  record A
    extends Base(table = [1, 1; 1, 1], k = 1);
  end A;
  record B
    extends Base(k = 2);
  end B;
  record C
    extends Base(k = 7);
  end C;
  model Gain
    parameter Real factor = 1;
    parameter Real offset = 0;
    Real y = 10*factor + offset;
  end Gain;
  model Other
    extends Gain(offset = 1);
  end Other;
  partial model Interface
    replaceable parameter A a constrainedby Base;
    replaceable model G = Gain;
    Real x = sum(a.table) + a.k;
  end Interface;
  model Filled
    extends Interface(
      redeclare replaceable B a constrainedby Base(final table = [1, 2]),
      redeclare replaceable model G = Other constrainedby Gain(factor = 2));
    G g;
    Real y = g.y;
  end Filled;
  model Last
    extends Gain(offset = 2);
  end Last;
  model Test
    extends Filled;
    Filled later(redeclare C a, redeclare model G = Last);
  end Test;
end OwnConstraint;
