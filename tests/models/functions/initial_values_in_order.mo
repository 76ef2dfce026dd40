// expect x(0) = 8 ± 1e-12
// expect x(1) = 17 ± 1e-12
// expect y(1) = 3 ± 1e-12
// Initial values in a function may refer to variables declared after them (section 12.4.4): 1 + 2 +
// 1 + 4, then 9 more.
model InitialValuesInOrder
  function both
    input Integer a, b;
    output Real r = sum(all);
  protected
    Real all[a + b] = cat(1, left, right);
    Real left[a] = {i for i in 1:a};
    Real right[b] = {i*i for i in 1:b};
  algorithm
  end both;
  function chain
    input Real x;
    output Real y = z + 1;
  protected
    Real z = 2*w;
    Real w = x;
  algorithm
  end chain;
  Integer n(start = 2, fixed = true);
  Real x = both(2, n);
  Real y = chain(time);
equation
  when time > 0.5 then
    n = 3;
  end when;
end InitialValuesInOrder;
