// expect flat 'c.y' = 5.0
package Base
  replaceable model T Real x = 1; end T;
  model U T t; end U;
end Base;
package Derived
  extends Base;
  redeclare model extends T
    Real y = 5;
  end T;
end Derived;
model Redeclare
  Derived.T c;
end Redeclare;
