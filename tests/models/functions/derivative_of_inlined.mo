// A signal given with its derivative: a call that is replaced by its body, one of its arguments, is
// still differentiated by its annotation, and no
// other equation of the shape of that body is taken for the call.
// expect v(1) = exp(-1) ± 1e-6
// expect fder(1) = exp(-1) ± 1e-5
// options --tolerance 1e-9
model DerivativeOfInlined
  function signal
    input Real u[2] "value and derivative";
    input Real t;
    output Real y;
  algorithm
    y := u[1];
    annotation(derivative(noDerivative = u) = rate, InlineAfterIndexReduction = true);
  end signal;
  function rate
    input Real u[2];
    input Real t;
    input Real t_der;
    output Real y;
  algorithm
    y := u[2];
    annotation(InlineAfterIndexReduction = true);
  end rate;
  Real v(start = 1, fixed = true), c, n, r, i, f, fder, p, q;
equation
  der(v) = -c;
  v + n = 0;
  p = -n;
  f = c;
  fder = -der(f);
  i = signal({f, -fder}, time);
  r + q = p;
  q = 0;
  r = i*1;
end DerivativeOfInlined;
