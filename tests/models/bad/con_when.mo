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
  when time > 1 then
    connect(a.p, b.p);
  end when;
end A;
// expect error F003 line 20
