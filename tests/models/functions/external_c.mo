// External C functions evaluated when the model is built: scalars, Strings, arrays in and out,
// sizes, several results.
// expect a(1.0) = 10 ± 1e-12
// expect b(1.0) = 21 ± 1e-12
// expect c(1.0) = 8 ± 1e-12
// expect d(1.0) = 5 ± 1e-12
// expect flat constant String s = "abc:7"
model ExternalC
  function twice
    input Real x;
    output Real y;
    external "C" y = ext_twice(x)
      annotation(Include="static double ext_twice(double x) { return 2*x; }");
  end twice;
  function scaled
    input Real m[:, :];
    input Integer k;
    output Real r[size(m, 1), size(m, 2)];
    output Integer n;
    external "C" ext_scaled(m, size(m, 1), size(m, 2), k, r, n) annotation(Include="
      static void ext_scaled(const double *m, size_t n1, size_t n2, int k, double *r, int *n)
      {
        for (size_t i = 0; i < n1*n2; i++)
          r[i] = k*m[i];
        *n = (int)(n1 + n2);
      }");
  end scaled;
  function joined
    input String a;
    input Integer k;
    output String s;
    external "C" s = ext_joined(a, k) annotation(Include="
      #include <stdio.h>
      extern char *ModelicaAllocateString(size_t n);
      static const char *ext_joined(const char *a, int k)
      {
        char *s = ModelicaAllocateString(40);
        snprintf(s, 40, \"%s:%d\", a, k);
        return s;
      }");
  end joined;
  function total
    input Real m[:, :];
    output Real y;
    output Integer n;
  protected
    Real r[size(m, 1), size(m, 2)];
  algorithm
    (r, n) := scaled(m, 3);
    y := sum(r) + 0*n;
  end total;
  function count
    input Real m[:, :];
    output Integer k;
  protected
    Real y;
  algorithm
    (y, k) := total(m);
  end count;
  function power "of the C library"
    input Real x;
    input Real y;
    output Real z;
    external "C" z = pow(x, y);
  end power;
  constant Real ca = twice(5);
  constant Real cb = total({{1, 2, 1}, {1, 1, 1}});
  constant Integer cd = count({{1, 2, 1}, {1, 1, 1}});
  constant Real cc = power(2, 3);
  constant String s = joined("abc", 7);
  Real a = ca;
  Real b = cb;
  Real c = cc;
  Real d = cd;
end ExternalC;
