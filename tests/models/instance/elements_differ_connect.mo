// expect error F002 line 18 with sizes differ
connector Pin
  Real v;
  flow Real i;
end Pin;
connector Plug
  parameter Integer m = 3;
  Pin p[m];
end Plug;
model Open
  parameter Integer m = 3;
  Plug a(m = m);
equation
  a.p.i = ones(m);
end Open;
model Unequal
  Open x[2](m = {1, 2}), y[2](m = {2, 1});
equation connect(x.a, y.a);
end Unequal;
