// expect y(2) = 17 ± 1e-9
// expect z(2) = 15 ± 1e-9
// expect u(2) = 21 ± 1e-9
// expect w(2) = 7 ± 1e-9
// options --stop-time 2
record Polynomial "with the number of coefficients that it states"
  parameter Integer n = 2;
  parameter Real c[n] = ones(n);
end Polynomial;
record Pair "sizes of one field given by another"
  Real c[:];
  Real d[size(c, 1)];
end Pair;
function at
  input Polynomial p;
  input Real x;
  output Real y;
algorithm
  y := 0;
  for i in p.n:-1:1 loop
    y := p.c[i] + x*y;
  end for;
end at;
function total
  input Pair p;
  output Real y;
algorithm
  y := sum(p.c) + sum(p.d);
end total;
model Constructed
  parameter Polynomial p(n = 3, c = {1, 2, 3});
  parameter Polynomial q = Polynomial(n = 3, c = {1, 1, 1});
  parameter Integer n = 4;
  Real y = at(p, time);
  Real z = at(Polynomial(n = n), time);
  Real u = total(Pair({1, 2, 3}, {4, 5, 6}));
  Real w = at(q, time);
end Constructed;
