// expect y(2) = 17 ± 1e-9
// expect s(2) = 12 ± 1e-9
// expect a.c[2](2) = 1
// expect b.c[4](2) = 2
// expect t(2) = 18 ± 1e-9
// options --stop-time 2
record Vector
  parameter Integer n = 2;
  Real c[n];
end Vector;
function ramp
  input Integer n;
  output Vector v(n = n);
algorithm
  v.c := {i for i in 1:n};
end ramp;
record Open
  Integer n;
  Real c[n];
end Open;
function late "its size is known from its body alone"
  input Integer n;
  output Open v;
algorithm
  v := Open(n = n, c = {i for i in 1:n});
end late;
function scale "element by element"
  input Vector a;
  input Real k;
  output Vector b(n = a.n);
algorithm
  for i in 1:a.n loop
    b.c[i] := k*a.c[i];
  end for;
end scale;
function total
  input Vector a;
  output Real y;
protected
  Vector b(n = a.n);
algorithm
  b := scale(a, 1);
  y := sum(b.c);
end total;
function horner
  input Vector p;
  input Real x;
  output Real y = 0;
algorithm
  for i in p.n:-1:1 loop
    y := p.c[i] + x*y;
  end for;
end horner;
function two
  input Integer n;
  output Vector a(n = n);
  output Vector b(n = 2*n);
algorithm
  a.c := ones(n);
  b.c := fill(2, 2*n);
end two;
model Results
  parameter Vector p = ramp(3);
  parameter Integer n = 2;
  Real y = horner(p, time);
  Vector v(n = 3) = scale(late(3), time);
  Real s = total(v);
  Vector a(n = n), b(n = 2*n);
  Real t = total(scale(ramp(3), time)) + total(scale(v, 0.5));
equation
  (a, b) = two(n);
end Results;
