// External C functions called during simulation: scalars, arrays in and out, several results,
// Strings.
model external_run
  function affine
    input Real x;
    input Integer k;
    input Boolean negative;
    output Real y;
  external "C" y = affine(x, k, negative)
    annotation(Include = "static double affine(double x, int k, int negative) { return (negative ?
    -1 : 1)*(x + k); }");
  end affine;

  function scale "Array in and out"
    input Real a[:, :];
    input Real f;
    output Real b[size(a, 1), size(a, 2)];
  external "C" scale(a, size(a, 1), size(a, 2), f, b)
    annotation(Include = "static void scale(const double *a, size_t n, size_t m, double f, double
    *b)
      { for (size_t i = 0; i < n*m; i++) b[i] = f*a[i] + (double)i; }");
  end scale;

  function both "Two results by address"
    input Real x;
    input Integer n[:];
    output Real s;
    output Integer sum;
  external "C" both(x, n, size(n, 1), s, sum)
    annotation(Include = "static void both(double x, const int *n, size_t size, double *s, int *sum)
      { *sum = 0; for (size_t i = 0; i < size; i++) *sum += n[i]; *s = x*x; }");
  end both;

  function length
    input String s;
    output Integer n;
  external "C" n = text_length(s)
    annotation(Include = "#include <string.h>
      static int text_length(const char *s) { return (int)strlen(s); }");
  end length;

  function twice "A String made by external code"
    input String s;
    output String t;
  external "C" t = twice(s)
    annotation(Include = "#include <string.h>
      char *ModelicaAllocateString(size_t n);
      static const char *twice(const char *s)
      { char *t = ModelicaAllocateString(2*strlen(s)); strcpy(t, s); strcat(t, s); return t; }");
  end twice;

  function lengthOfTwice
    input String s;
    input Real x;
    output Real y;
  protected
    String t;
  algorithm
    t := twice(s);
    y := if t == "kairoskairos" then length(t) + x else -1;
  end lengthOfTwice;

  parameter String name = "kairos";
  parameter Integer k = 2;
  Real x(start = 1, fixed = true);
  Real y, s, z;
  Real b[2, 2];
  Integer n(start = 0), sum(start = 0);
equation
  der(x) = -affine(x, k, false) + 2;
  y = affine(time, k, time > 0.5);
  b = scale([1, time; 3, x], 2);
  s = both(time, {1, 2, k});
  z = lengthOfTwice(name, time);
  when time > 0.25 then
    n = length(name + "!") + k;
    (, sum) = both(time, {1, 2, k});
  end when;
end external_run;
// expect x(1) = exp(-1) ± 1e-5
// expect y(0.25) = 2.25 ± 1e-9
// expect y(1) = -3 ± 1e-9
// expect b[1,2](1) = 3 ± 1e-9
// expect b[2,1](1) = 8 ± 1e-9
// expect s(1) = 1 ± 1e-9
// expect sum(1) = 5
// expect z(1) = 13 ± 1e-9
// expect n(1) = 9
