// A redeclaration keeps the condition of the replaced component (sections 4.4.5 and 7.3).
// model ConditionKept.Top
// expect flat Real 'b.d.y';
// expect y(0) = 2
// options --stop-time 1
package ConditionKept
  connector C
    Real v;
    flow Real i;
  end C;
  connector C2
    extends C;
  end C2;
  model D
    Real y = 1;
  end D;
  model E
    extends D(y = 2);
  end E;
  model Base
    parameter Boolean use = false;
    replaceable C c if use;
    replaceable D d if not use;
    replaceable D e if use;
  end Base;
  model Derived
    extends Base(redeclare C2 c, redeclare E d);
    redeclare E e;
  end Derived;
  model Top
    Derived b;
    Real y = 2*time*0 + 2;
  end Top;
end ConditionKept;
