// expect error F002 line 9 with do not fit
connector A Real v; flow Real i; end A;
connector B Real v; flow Real j; end B;
model MA A a; equation a.v = 1; end MA;
model MB B b; equation b.v = 1; end MB;
model Types
  MA x; MB y;
equation
  connect(x.a, y.b);
end Types;
