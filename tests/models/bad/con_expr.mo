model A
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  connector Rev
    flow Real v;
    Real i;
  end Rev;
  model P
    Pin p;
  end P;
  P a, b;
equation
  connect(a.p, 2*b.p);
end A;
// expect error S001 line 19
