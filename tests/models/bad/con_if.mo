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
  Boolean c = time > 1;
equation
  if c then
    connect(a.p, b.p);
  end if;
end A;
// expect error I014 line 20
