// expect r.b[2](1) = 2 ± 1e-9
// expect y(1) = 3 ± 1e-9
// expect q.a[3](1) = 1 ± 1e-9
record R
  Real a;
  Real b[2];
end R;
record Q
  parameter Integer n = 2;
  Real a[n];
end Q;
function f
  input Real x;
  output R r;
  output Real y;
algorithm
  r.a := x;
  r.b := {x, 2*x};
  y := 3*x;
end f;
function g
  input Integer n;
  input Real x;
  output Q q(n = n);
algorithm
  q.a := fill(x, n);
end g;
model Tuple
  R r;
  Real y;
  Q q(n = 3) "its n is not an unknown";
equation
  (r, y) = f(time);
  q = g(3, time);
end Tuple;
