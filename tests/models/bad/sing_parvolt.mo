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
  model G
    Pin p;
  equation
    p.v = 0;
  end G;
  model V
    Pin p, n;
    parameter Real u = 1;
  equation
    p.v - n.v = u;
    p.i + n.i = 0;
  end V;
  V v1, v2(u=2);
  G g;
equation
  connect(v1.p, v2.p);
  connect(v1.n, v2.n);
  connect(v1.n, g.p);
end A;
// expect error T001 line 4
// expect error T001 line 23
