// The size of a local array depends on a local variable with a binding; elements are computed at
// run time.
// expect y(1) = 1 + 2 + 3 ± 1e-12
model LocalSize
  function total
    input Real x[:];
    output Real y;
  protected
    parameter Integer m = size(x, 1);
    Real w[m] = {k*x[k] for k in 1:m};
  algorithm
    y := sum(w);
  end total;
  Real y = total({time, time, time});
end LocalSize;
