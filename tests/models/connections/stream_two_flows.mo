// expect error F011 line 2 with has stream variables, but 2 flow variables
connector Port
  Real p, q;
  flow Real m, n;
  stream Real h;
end Port;
model TwoFlows
  Port c;
equation
  c.p = 1;
  c.q = 1;
  c.h = 1;
end TwoFlows;
