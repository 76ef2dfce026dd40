// expect error F002 line 9 with flow
connector A Real v; flow Real i; end A;
connector B flow Real v; Real i; end B;
model MA A a; equation a.v = 1; end MA;
model MB B b; equation b.i = 1; end MB;
model Flow
  MA x; MB y;
equation
  connect(x.a, y.b);
end Flow;
