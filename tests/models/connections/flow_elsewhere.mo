// A flow outside of connectors is a variable like others; the elements of a flow connector are
// flows, outputs included.
// expect x(0) = 3
// expect m.c.c.f(0) = 0
// options --stop-time 1
model FlowElsewhere
  connector C
    output Real f;
  end C;
  connector CC
    flow C c;
    Real e;
  end CC;
  model M
    CC c;
  equation
    c.e = 2;
  end M;
  M m;
  flow Real x = 3;
end FlowElsewhere;
