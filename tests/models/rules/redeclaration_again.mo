// Modifiers of a redeclaration without a constraining clause do not hold for the next one (section
// 7.3.2). Those of the original declaration do.
// expect y(1) = 6 ± 1e-9
package RedeclarationAgain
  partial model Base
    parameter Real offset = 0;
    output Real y;
  end Base;
  model Gain
    extends Base;
    parameter Real k = 1;
  equation
    y = k*time + offset;
  end Gain;
  model Power
    extends Base;
    parameter Real exponent = 1;
  equation
    y = 5*time^exponent + offset;
  end Power;
  model Holder
    replaceable Base part(offset = 1);
    Real y = part.y;
  end Holder;
  model WithGain
    extends Holder(redeclare replaceable Gain part(k = 7));
  end WithGain;
  model Test
    extends WithGain(redeclare Power part(exponent = 2));
  end Test;
end RedeclarationAgain;
