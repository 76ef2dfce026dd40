// expect error F011 with not a stream variable
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model NotAStream
  Port c;
  Real x = inStream(c.p);
equation
  c.p = 1;
  c.h = 1;
end NotAStream;
