// Other tools let an outer modifier redeclare an element that an inner one has redeclared.
// options --compatible
// expect warning I012 line 25 with write 'redeclare replaceable' in the redeclaration before
// expect y(1) = 6 ± 1e-12
package again_compatible
  model First
    Real x = 1;
  end First;
  model Second
    extends First;
    Real more = 2;
  end Second;
  model Third
    extends Second;
    Real most = 3;
  end Third;
  model Base
    replaceable First part;
  end Base;
  model Middle
    Base base(redeclare Second part);
  end Middle;
  model M
    Middle middle(
      base(redeclare Third part));
    Real y = middle.base.part.x + middle.base.part.more + middle.base.part.most;
  end M;
end again_compatible;
