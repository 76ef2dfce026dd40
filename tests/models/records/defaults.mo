// Fields with defaults: in constructors, in components, in variables of functions, inherited and
// nested (section 12.6)
record Base
  Real a = 1;
  Real b = 2*a;
end Base;
record Inner
  Real x = 3;
  Real y = 2*x;
end Inner;
record Whole
  extends Base;
  Inner i;
  Real c[2] = {a, i.y};
  Integer n = 4;
end Whole;
function partlyGiven
  input Real u;
  output Real y;
protected
  Base q(b = u);
  Whole w(a = u);
algorithm
  q.a := 5;
  y := q.a + q.b + w.c[1] + w.c[2];
end partlyGiven;
model RecordDefaults
  parameter Whole p = Whole(a = 10);
  parameter Whole q = Whole(5, 6, Inner(1));
  Whole chosen = if time > 0.5 then p else q;
  Whole list[2] = {p, q};
  Base several[2] = fill(Base(4), 2);
  Base modified(a = 8);
  parameter Real y = partlyGiven(3);
  Real z = y;
  Real pb = p.b, qc = q.c[2];
end RecordDefaults;
// expect pb(1.0) = 20 ± 1e-9
// expect qc(1.0) = 2 ± 1e-9
// expect chosen.b(1.0) = 20 ± 1e-9
// expect chosen.c[2](0.2) = 2 ± 1e-9
// expect list[2].i.y(1.0) = 2 ± 1e-9
// expect several[2].b(1.0) = 8 ± 1e-9
// expect modified.b(1.0) = 16 ± 1e-9
// expect z(1.0) = 17 ± 1e-9
