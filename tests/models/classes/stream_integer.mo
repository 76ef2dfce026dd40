// expect error I032 line 5 with is not a Real
connector C
  Real p;
  flow Real m;
  stream Integer n;
end C;
model M
  C c;
equation
  c.p = 1;
end M;
