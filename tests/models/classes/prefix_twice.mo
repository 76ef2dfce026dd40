// expect error I032 line 8 with has a prefix of its own
connector C
  Real e;
  output Real f;
end C;
model M
  parameter Real p = 1;
  output C c(e = p, f = p);
end M;
