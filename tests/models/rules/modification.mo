// Sections 7.2 to 7.2.5 and 7.2.7: scope, merging, single modifications, arrays, removal.
// solvers cvode
// expect hereScope(0) = 3 ± 1e-12
// expect x2(0) = 22 ± 1e-12
// expect x3a(0) = 33 ± 1e-12
// expect x4b(0) = 4 ± 1e-12
// expect x4c(0) = 44 ± 1e-12
// expect x5a(0) = 33 ± 1e-12
// expect a(0) = 55 ± 1e-12
// expect b(0) = 66 ± 1e-12
// expect c(0) = 77 ± 1e-12
// expect attributes(0) = 5 ± 1e-12
// expect split(0) = 15 ± 1e-12
// expect each_(0) = 30 ± 1e-12
// expect nested(0) = 20 ± 1e-12
// expect dotted(0) = 12 ± 1e-12
// expect matrix(0) = 21 ± 1e-12
// expect removed(0) = 8 ± 1e-12
// expect brokenTwice(0) = 4 ± 1e-12
// expect sized(0) = 3 ± 1e-12
package Modification
  model Inner
    parameter Real x = 0;
  end Inner;
  model Middle
    parameter Real x = 2;
    Inner i(x = x);
  end Middle;
  model Scopes
    parameter Real x = 3;
    Middle m(i(x = x));
  end Scopes;
  record C1
    parameter Real a = 0;
  end C1;
  record C2
    parameter Real b = 0;
    parameter Real c = 0;
  end C2;
  model C3
    parameter Real x2 = 2;
    parameter C1 x3;
    parameter C2 x4(b = 4);
    parameter C1 x5(a = 5);
    extends C1;
    extends C2(b = 6, c = 77);
  end C3;
  model C4
    extends C3(x2 = 22, x3(a = 33), x4(c = 44), x5 = x3, a = 55, b = 66);
  end C4;
  model V
    Real x;
  end V;
  model Attributes
    V v1(final x.unit = "V", x.displayUnit = "mV", x = 5.0);
    V v2(x(final unit = "V", displayUnit = "mV") = 5.0);
    V v3(x = 1.6, x "described");
  end Attributes;
  model C
    parameter Real a[3] = zeros(3);
    parameter Real d = 0;
  end C;
  model B
    C c[5](each a = {1, 2, 3}, d = {1, 2, 3, 4, 5});
    parameter Real p = 0;
  end B;
  model D
    B b(each c.a = {3, 4, 5}, c.d = {2, 3, 4, 5, 6});
  end D;
  model E
    B b[2](each c(each a = {1, 2, 3}, d = {1, 2, 3, 4, 5}), p = {1, 2});
    C m[2, 3](d = [1, 2, 3; 4, 5, 6]);
  end E;
  model Default
    Real x = 1;
    parameter Real k = 2;
  end Default;
  model Removed
    extends Default(x = break);
  equation
    x = 8;
  end Removed;
  model Sized
    parameter Real v[:] = {1};
    parameter Integer n = size(v, 1);
  end Sized;
  model All
    Scopes s;
    C4 c4;
    Attributes at;
    B bb;
    D dd;
    E ee;
    Removed r;
    Default given(k = 4);
    Sized z(v = {7, 8, 9});
    Real hereScope = s.m.i.x, x2 = c4.x2, x3a = c4.x3.a, x4b = c4.x4.b, x4c = c4.x4.c,
      x5a = c4.x5.a, a = c4.a, b = c4.b, c = c4.c, attributes = at.v1.x,
      split = sum(bb.c.d), each_ = sum(bb.c.a), nested = sum(dd.b.c.d), dotted = sum(dd.b.c[2].a),
        matrix = sum(ee.m.d), removed = r.x, brokenTwice = given.k,
      sized = z.n;
  end All;
end Modification;
