// Chapter 12.
// options --all
package FunctionsRejected
  function two
    input Real a;
    input Real b = 1;
    output Real y;
    output Real z;
  algorithm
    y := a;
    z := b;
  end two;
  function PublicLocal
    input Real a;
    Real local; // error I020
    output Real y;
  algorithm
    y := a;
  end PublicLocal;
  function AssignsInput
    input Real a;
    output Real y;
  algorithm
    a := 1; // error I116
    y := a;
  end AssignsInput;
  function WithEquation
    input Real a;
    output Real y;
  equation // error I020
    y = a;
  end WithEquation;
  function Continuous
    input Real a;
    output Real y;
  algorithm
    y := der(a); // error I117
    y := pre(a); // error I117
    y := time; // error I117
    when a > 1 then // error I117
      y := 1;
    end when;
    y := if initial() then 1 else 2; // error I117
    reinit(y, 1); // error I117
  end Continuous;
  function NoBody // error I020
    input Real a;
    output Real y;
  end NoBody;
  function ProtectedInput
    output Real y;
  protected
    input Real a; // error I020
  algorithm
    y := a;
  end ProtectedInput;
  function OfModel
    input M m; // error I020
    output Real y = 1;
  end OfModel;
  model M
    Real x = 1;
  end M;
  function InnerOuter
    outer Real x; // error I020
    output Real y = 1;
  end InnerOuter;
  model Calls
    Real a = two(); // error I107
    Real b = two(1, 2, 3); // error I104
    Real c = two(1, c = 2); // error I105
    Real d = two(1, a = 2); // error I106
    Real e = two("1"); // error I103
    Real f = two({1, 2}); // error I102
    Real g, h;
    Integer i;
  equation
    (g, h, i) = two(1, 2); // error I122
  end Calls;
  model WrongResult
    Real g;
    Boolean h;
  equation
    (g, h) = two(1, 2); // error I103
  end WrongResult;
  model Unused
    Real x = 1;
  equation
    two(1); 
  end Unused;
  model NotAFunction
    Real y = M(1); // error I002
    Real z = nothing(1); // error I001 with 'nothing'
  end NotAFunction;
  partial function Shape
    input Real x;
    output Real y;
  end Shape;
  function integral
    input Shape f;
    output Real y;
  algorithm
    y := f(1);
  end integral;
  function other
    input Real x;
    input Real y;
    output Real z = x*y;
  end other;
  model FunctionArguments
    Real a = integral(other); // error I103
    Real b = integral(1); // error I103
  end FunctionArguments;
  function Sized
    input Real x[:];
    output Real y[size(x, 1)];
  algorithm
    y := x;
  end Sized;
  model Sizes
    Real x[2] = Sized({1, 2, 3}); // error I102
  end Sizes;
  function Index
    input Real x[3];
    output Real y;
  algorithm
    y := x[4]; // error I109
  end Index;
  function Undeclared
    output Real y;
  algorithm
    q := 1; // error I001 with 'q'
    y := 1;
  end Undeclared;
end FunctionsRejected;
