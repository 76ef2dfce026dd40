// expect error F002 line 19 with is an input or output on one side only
package Causality
  connector A
    input Real x;
  end A;
  connector B
    Real x;
    flow Real f;
  end B;
  model P
    A a;
  end P;
  connector C = input Real;
  connector D = Real;
  model M
    C c;
    D d;
  equation
    connect(c, d);
  end M;
end Causality;
// model Causality.M
