// A replaceable component without constraining clause hands its modifiers to its replacement
// (section 7.3.2), among them the
// redeclaration of a package that the replacement has settled itself: the replacement's own choice
// stays, the values go through.
// expect y(1) = 7 ± 1e-9
// expect z(1) = 6 ± 1e-9
package SettledReplacement
  package System
    constant Integer n = 1;
  end System;
  package Single
    extends System(n = 2);
  end Single;
  model Load
    replaceable package S = System constrainedby System;
    parameter Real p = 1;
    Real y;
  end Load;
  model Fixed
    extends Load(redeclare package S = Single, p = 100);
  equation
    y = p + S.n;
  end Fixed;
  model Free
    extends Load(redeclare replaceable package S = System);
  equation
    y = p + S.n;
  end Free;
  package Triple
    extends System(n = 1);
  end Triple;
  partial model Frame
    replaceable Load load(redeclare package S = Triple, p = 5);
    Real y = load.y;
  end Frame;
  model Closed
    extends Frame(redeclare Fixed load);
  end Closed;
  model Open
    extends Frame(redeclare Free load);
  end Open;
  model Test
    Closed c;
    Open o;
    Real y = c.y, z = o.y;
  end Test;
end SettledReplacement;
