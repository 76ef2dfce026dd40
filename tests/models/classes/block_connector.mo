// expect error I032 line 7 with neither input nor output
connector Pin
  Real v;
  flow Real i;
end Pin;
block B
  Pin p;
end B;
model M
  B b;
equation
  b.p.v = 1;
end M;
