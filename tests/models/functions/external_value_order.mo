// Variables of an external function take their values in the order of their dependencies
// (Modelica 3.6, section 12.4.4): v needs n and p, p needs q, all declared after it.
model ExternalValueOrder
  function f
    input Real u;
    input Integer k;
    output Real v[2] = fill(p, n);
  protected
    Real p = q + u;
    Real q = 3*u;
    Integer n = k + 1;
  external "C" add_one(v, 2) annotation (Include = "
static void add_one(double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] += 1 + i;
}");
  end f;
  Real y[2] = f(time + 1, 1);
end ExternalValueOrder;
// expect y[1](1.0) = 9 ± 1e-12
// expect y[2](1.0) = 10 ± 1e-12
