model NestedArrays
  model Cell
    parameter Real k = 1;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k*x;
  end Cell;
  model Row
    parameter Integer n = 2;
    parameter Real k = 1;
    Cell c[n](k = {k*i for i in 1:n});
    Real s = sum(c.x);
  end Row;
  Row r[2](n = {2, 2}, k = {1, 10});
  Real total = sum(r.s);
end NestedArrays;
// expect r[2].c[2].x(0.1) = exp(-2) ± 1e-5
// expect r[1].s(1) = exp(-1)+exp(-2) ± 1e-5
