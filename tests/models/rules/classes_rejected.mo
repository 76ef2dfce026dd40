// Sections 4.1 to 4.6: access, declarations, prefixes, kinds of classes.
// options --all
package ClassesRejected
  package A
    model B
    protected
      parameter Real x = 1;
    end B;
  protected
    model C
    end C;
  end A;
  model Access
    A.B a(x = 2); // error I013
    A.C c; // error I013
    model F = A.C; // error I013
    Real y = a.x; // error I013
  end Access;
  model Twice
    Real x = 1;
    Real x = 1; // error I003
    model M
    end M;
    Real M = 1; // error I003
  end Twice;
  model Whole
    Real x = 1;
  end Whole;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Prefixes
    parameter Whole h; // error I032
    flow Pin p; // error I032
    constant input Real r = 1; // error I032
  end Prefixes;
  connector InputPin = input Pin; // error I032
  model Conditional
    parameter Boolean on = false;
    Pin p if on;
    Real y = p.v; // error I018
  equation
    p.i = 0; // error I018
  end Conditional;
  model ConditionVaries
    Real x = time;
    Pin p if x > 1; // error I014
  end ConditionVaries;
  model ConditionIsNumber
    parameter Integer n = 1;
    Pin p if n; // error I103
  end ConditionIsNumber;
  record Data
    input Real x; // error I032
    inner Real y; // error I032
    flow Real z; // error I032
    Pin p; // error I030
  protected
    Real w; // error I030
  end Data;
  record WithEquation
    Real x;
  equation // error I030
    x = 1;
  end WithEquation;
  connector WithAlgorithm
    Real x;
  algorithm // error I030
    x := 1;
  end WithAlgorithm;
  connector InnerPin
    inner Real v; // error I032
  end InnerPin;
  package WithVariable
    Real x = 1; // error I030
  end WithVariable;
  package WithParameter
    parameter Real x = 1; // error I030
  end WithParameter;
  block OpenBlock
    Pin p; // error I032
  equation
    p.v = 1;
  end OpenBlock;
  type NoType
    extends Data; // error I031
  end NoType;
  type Length = Real(unit = "m");
  model SimpleAndMore
    extends Length; // error I031
    Real x = 1;
  end SimpleAndMore;
  operator record Number
    Real re;
  end Number;
  operator function '+' // error I030
    input Number a;
    input Number b;
    output Number c;
  algorithm
    c := Number(a.re + b.re);
  end '+';
end ClassesRejected;
