// expect error F002 line 7 with sizes differ
connector C Real v; flow Real i; end C;
model A C c; equation c.v = 1; end A;
model Sizes
  A a[2], b[3];
equation
  connect(a.c, b.c);
end Sizes;
