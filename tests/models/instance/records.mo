// expect flat Real 'r.a'
// expect flat 'r.b' = 2.0*time
// expect flat parameter Real 'p.b' = 4.0
// expect flat parameter Real 'q.a' = 1.0
// expect flat 's.a' = 'r.a'
// expect ok
record R
  Real a;
  Real b;
end R;
record D
  Real a = 1;
  Real b;
end D;
model Records
  R r(a = time, b = 2*time);
  parameter R p = R(3, 4);
  parameter D q = D(b = 5);
  R s;
  R t[2];
  Real x;
equation
  s = r;
  t[1] = r;
  t[2] = R(x, p.b);
  x = s.a + t[1].b;
end Records;
