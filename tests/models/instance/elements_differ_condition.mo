// expect h[1].r1.a.i(1) = 6 ± 1e-9
// expect h[1].r2.a.i(1) = 0 ± 1e-9
// expect h[2].r2.a.i(1) = 1.5 ± 1e-9
// expect h[3].r1.a.i(1) = 2 ± 1e-9
// expect load[1].a.i(1) = 3 ± 1e-9
// expect load[2].a.i(1) = 2 ± 1e-9
connector Pin
  Real v;
  flow Real i;
end Pin;
model Res
  Pin a, b;
  parameter Real R = 1;
equation
  a.v - b.v = R*a.i;
  a.i + b.i = 0;
end Res;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Source
  Pin p;
equation
  p.v = 6;
end Source;
model Divider "with a tap on request"
  parameter Boolean tapped = false;
  parameter Real R = 1;
  Pin a, b;
  Pin tap if tapped;
  Res r1(R = R), r2(R = R);
equation
  connect(a, r1.a);
  connect(r1.b, r2.a);
  connect(r2.b, b);
  connect(tap, r1.b);
end Divider;
model Lead "a connection in place of a component"
  parameter Boolean short = false;
  Pin a, b;
  Res r if not short;
equation
  if short then
    connect(a, b);
  else
    connect(a, r.a);
    connect(r.b, b);
  end if;
end Lead;
model Conditions
  Divider h[3](tapped = {true, false, true}, R = {1, 2, 3});
  Ground g[3], t[3], e[2];
  Source s[3], u;
  Lead d[2](short = {true, false});
  Res load[2](each R = 2);
equation
  connect(s.p, h.a);
  connect(h.b, g.p);
  connect(h.tap, t.p);
  connect(u.p, d[1].a);
  connect(u.p, d[2].a);
  connect(d.b, load.a);
  connect(load.b, e.p);
end Conditions;
