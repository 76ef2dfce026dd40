// expect error I032 line 7 with has a prefix of its own
connector C
  Real e;
  flow Real f;
end C;
model M
  flow C c;
equation
  c.e = 1;
end M;
