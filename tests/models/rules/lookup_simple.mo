// Section 5.3.1: iteration variables first, then the classes around one after the other, in each of
// them its own and inherited elements before imported ones, qualified imports before unqualified
// ones; encapsulated classes still find predefined names.
// solvers cvode
// expect iterator(0) = 6 ± 1e-12
// expect inherited(0) = 2 ± 1e-12
// expect around(0) = 3 ± 1e-12
// expect ownFirst(0) = 4 ± 1e-12
// expect qualifiedFirst(0) = 5 ± 1e-12
// expect unqualified(0) = 7 ± 1e-12
// expect renamed(0) = 5 ± 1e-12
// expect listed(0) = 8 ± 1e-12
// expect predefined(0) = 1 ± 1e-12
// expect inheritedBeforeAround(0) = 2 ± 1e-12
// expect reduction(0) = 14 ± 1e-12
// expect inBaseClass(0) = 100 ± 1e-12
package LookupSimple
  constant Real k = 3;
  constant Real base = 100;
  package A
    constant Real c = 5;
    constant Real d = 5;
  end A;
  package B
    constant Real c = 6;
    constant Real u = 7;
    constant Real e = 8;
  end B;
  partial model Base
    constant Real h = 2;
    constant Real c = 4;
    Real fromHere = base "is meant where it is written";
  end Base;
  model Inner
    extends Base;
    Real inherited = h;
    Real around = k;
  end Inner;
  model Own
    import LookupSimple.A.c;
    constant Real d = 4;
    import LookupSimple.A.d;
    Real y = d;
  end Own;
  model Qualified
    import LookupSimple.A.c;
    import LookupSimple.B.*;
    import e2 = LookupSimple.A.d;
    import LookupSimple.B.{e};
    Real y = c;
    Real z = u;
    Real w = e2;
    Real v = e;
  end Qualified;
  encapsulated model Encapsulated
    Real y = cos(0*time);
    Boolean b = initial();
  end Encapsulated;
  model Shadowed
    extends Base;
    model Deeper
      Real y = h "of the class around, which has inherited it";
    end Deeper;
    Deeper deeper;
  end Shadowed;
  model All
    constant Real base = 1;
    constant Integer i = 20;
    Inner inner_;
    Own own;
    Qualified qualified;
    Encapsulated encapsulated_;
    Shadowed shadowed;
    Real x[3];
    Real iterator = sum(x), inherited = inner_.inherited, around = inner_.around, ownFirst = own.y,
      qualifiedFirst = qualified.y, unqualified = qualified.z,
      renamed = qualified.w, listed = qualified.v, predefined = encapsulated_.y,
        inheritedBeforeAround = shadowed.deeper.y;
    Real reduction = sum(i*i for i in 1:3);
    Real inBaseClass = inner_.fromHere;
  equation
    for i in 1:3 loop
      x[i] = i;
    end for;
  end All;
end LookupSimple;
