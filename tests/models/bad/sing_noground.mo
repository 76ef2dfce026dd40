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
  model R
    Pin p, n;
  equation
    p.v - n.v = 2*p.i;
    p.i + n.i = 0;
  end R;
  model V
    Pin p, n;
  equation
    p.v - n.v = 1;
    p.i + n.i = 0;
  end V;
  R r;
  V v;
equation
  connect(r.p, v.p);
  connect(r.n, v.n);
end A;
// expect error T001 line 3
// expect error T001 line 30
