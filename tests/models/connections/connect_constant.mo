// expect error F002 line 21 with is a constant on one side only
package Variability
  connector A
    constant Integer n = 1;
    Real v;
    flow Real i;
  end A;
  connector B
    parameter Integer n = 1;
    Real v;
    flow Real i;
  end B;
  model P
    A a;
    B b;
  end P;
  model Test
    P p;
  equation
    p.a.v = 1;
    connect(p.a, p.b);
    p.a.i = 1;
  end Test;
end Variability;
// model Variability.Test
