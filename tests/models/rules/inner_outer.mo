// Sections 5.4 and 5.5: the nearest inner counts; inner outer is both; the inner one may have more
// than the outer one asks for; functions and classes.
// solvers cvode
// expect far(0) = 1 ± 1e-12
// expect near(0) = 2 ± 1e-12
// expect both(0) = 11 ± 1e-12
// expect throughBoth(0) = 1 ± 1e-12
// expect part(0) = 5 ± 1e-12
// expect byFunction(0) = 9 ± 1e-12
// expect byClass(0) = 7 ± 1e-12
// expect conditional(0) = 3 ± 1e-12
package InnerOuter
  model Reader
    outer Real T;
    Real y = T;
  end Reader;
  model Between
    Reader reader;
  end Between;
  model Shadow
    inner Real T = 2;
    Between between;
  end Shadow;
  model Both
    inner outer Real T = 10 + T0;
    outer Real T0;
    Reader reader "sees the inner one here";
    Real here = T "sees the outer one";
  end Both;
  record Small
    Real a;
  end Small;
  record Large
    extends Small;
    Real b;
  end Large;
  model PartReader
    outer Small s;
    Real y = s.a;
  end PartReader;
  partial function F
    input Real x;
    output Real y;
  end F;
  function Square
    extends F;
  algorithm
    y := x*x;
  end Square;
  model Caller
    outer function f = F;
    Real y = f(3);
  end Caller;
  model Kind
    Real v = 7;
  end Kind;
  partial model AnyKind
    Real v;
  end AnyKind;
  model KindUser
    outer model K = AnyKind;
    K k;
  end KindUser;
  model Maybe
    parameter Boolean asks = false;
    outer Real nowhere if asks;
    Real y = 3;
  end Maybe;
  model All
    inner Real T = 1;
    inner Real T0 = 1;
    inner Large s(a = 5, b = 6);
    inner function f = Square;
    inner model K = Kind;
    Between between;
    Shadow shadow;
    Both b;
    PartReader partReader;
    Caller caller;
    KindUser kindUser;
    Maybe maybe;
    Real far = between.reader.y, near = shadow.between.reader.y, both = b.reader.y,
      throughBoth = b.here, part = partReader.y, byFunction = caller.y, byClass = kindUser.k.v,
      conditional = maybe.y;
  end All;
end InnerOuter;
