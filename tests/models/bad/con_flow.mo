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
  Pin a;
  Rev b;
equation
  connect(a, b);
end A;
// expect error F002 line 20
// expect error F002 line 20
