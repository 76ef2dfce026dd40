// expect error F002 line 6 with different values
connector C constant Integer n = 1; Real v; flow Real i; end C;
model Parameters
  A a, b(c(n = 2));
equation
  connect(a.c, b.c);
end Parameters;
model A C c; equation c.v = 1; end A;
// model Parameters
