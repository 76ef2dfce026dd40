// Sections 7.2.3 to 7.2.6.
// options --all
package ModificationRejected
  record A
    parameter Real x = 0;
    parameter Real y = 0;
  end A;
  model B
    parameter A a = A(2, 3);
  end B;
  model PartOfValue
    B b(a(x = 4)); // error I011
  end PartOfValue;
  model P
    parameter Real r = 1;
    Real v[3] = zeros(3);
  end P;
  model Twice
    P p1(r = 1.5, r = 1.6); // error I011
    P p2(r = 1.5, r = 1.5); // error I011
    P p3(r.start = 2, r(start = 3)); // error I011
  end Twice;
  model InShortClass
    model Q = P(v = ones(3), v = ones(3)); // error I011
    Q q;
  end InShortClass;
  model Unknown
    P p(s = 1); // error I005
    P q(r(strt = 1)); // error I005 with start
    extends P(t = 2); // error I005
  end Unknown;
  model NoEach
    P p[2](r = 1); // error I102
    P q[2](r = {1, 2, 3}); // error I102
  end NoEach;
  model EachOfScalar
    P p(each r = 1); // error I042
  end EachOfScalar;
  model EachOfAttribute
    Real x[2](each start = {1, 2}); // error I102
  equation
    x = {1, 2};
  end EachOfAttribute;
  model AttributeSizes
    Real x[2](start = {1, 2, 3}); // error I102
  equation
    x = {1, 2};
  end AttributeSizes;
  model WrongType
    P p(r = "one"); // error I103
    P q(r = true); // error I103
  end WrongType;
  model PI
    parameter Real k = 1;
    P p(final r = k);
  end PI;
  model Final
    PI fine(k = 2);
    PI wrong(p(r = 2)); // error I006 with final
  end Final;
  model FinalClass
    final model F = P(r = 2);
    F fine;
    F wrong(r = 3); // error I006
  end FinalClass;
  type Angle = Real(final unit = "rad");
  model FinalAttribute
    Angle a(unit = "deg") = 1; // error I006
  end FinalAttribute;
end ModificationRejected;
