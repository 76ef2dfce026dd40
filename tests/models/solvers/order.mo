// The methods of fixed step give exactly what their formulas say: Euler (1 - h)^n, of first order.
// solvers euler
// options --step 0.01
// expect x(1) = (1 - 0.01)^100 ± 1e-12
model Order
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Order;
