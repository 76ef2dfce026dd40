// expect l[2].a.p[2].i(1) = 10 ± 1e-9
// expect l[3].a.p[3].i(1) = 10 ± 1e-9
// expect g.p.i(1) = 45 ± 1e-9
connector Pin
  Real v;
  flow Real i;
end Pin;
connector Plug
  parameter Integer m = 3;
  Pin p[m];
end Plug;
model Star
  parameter Integer m = 3;
  parameter Real R = 1;
  Plug a(m = m);
  Pin n;
equation
  for k in 1:m loop
    a.p[k].v - n.v = R*a.p[k].i;
  end for;
  n.i + sum(a.p.i) = 0;
end Star;
model Source
  parameter Integer m;
  Plug a(m = m);
equation
  for k in 1:m loop
    a.p[k].v = 10*k;
  end for;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Plugs
  Star l[3](m = {1, 2, 3}, R = {1, 2, 3});
  Source s[3](m = {1, 2, 3});
  Ground g;
equation
  connect(s.a, l.a);
  for k in 1:3 loop
    connect(l[k].n, g.p);
  end for;
end Plugs;
