// expect error I015 line 5 with stream
connector C
  Real p;
  flow Real m;
  stream Real h;
end C;
model Stream
  C c;
end Stream;
