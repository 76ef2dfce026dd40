// Text that the specification forbids and other tools accept (--compatible).
// options --compatible
// expect y(1) = 7 ± 1e-12
// expect p.x(1) = 2 ± 1e-12
// expect all[2].x(1) = 5 ± 1e-12
// expect w(1) = 1 ± 1e-12
// expect z[2](1) = 3 ± 1e-12
// expect inherited.x(1) = 3 ± 1e-12
// expect q(0.5) = 1 ± 1e-12
// expect q(1) = 2 ± 1e-12
model Accepted
  model P
    parameter Real r = 1;
    Real x = r;
  end P;
  model Base
    Real x = g;
  protected
    parameter Real g = 1;
  end Base;
  model Inheriting
    extends Base;
  end Inheriting;
  Inheriting inherited(g = 3); // warning I013 with cannot be modified from outside
  P all[2](r = 5); // warning I102 with write 'each'
  P some if zero < 1;
  Real w = some.x; // warning I036 with is a conditional component
  P p(each r = 2); // warning I042 with has no effect here
  Real z[3](start = 1, each fixed = true) "one start value"; // warning I102 with write 'each'
  parameter Real zero = 0;
  Real y = if zero == 0 then 7 else 1/zero; // warning I112 with cannot be compared with '=='
  Real q = if floor(time) <> 1 then 1 else 2; // warning I112 with cannot be compared with '<>'
equation
  for i in 1:3 loop
    der(z[i]) = i;
  end for;
end Accepted;
