// expect x(1) = exp(-1) ± 1e-5
// expect y(1) = 1 - exp(-1) ± 1e-5
// options --tolerance 1e-8
record Vector
  parameter Integer n = 2;
  Real c[n];
end Vector;
function total
  input Vector a;
  output Real y;
algorithm
  y := 0;
  for i in 1:a.n loop
    y := y + a.c[i];
  end for;
end total;
model Index "an equation with a function of a record is differentiated"
  Real x, y(start = 0, fixed = true);
  Vector v(n = 2, c = {x, y});
equation
  der(x) = -x;
  total(v) = 1;
end Index;
