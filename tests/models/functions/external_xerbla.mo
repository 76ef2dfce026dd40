// LAPACK reports illegal arguments by XERBLA, which ends the process unless it is replaced.
// expect error R015 with argument 5 of DGETRF has an illegal value
model external_xerbla
  function checked
    input Real x;
    output Real y;
  external "C" y = ext_checked(x)
    annotation(Include = "
      #include <stddef.h>
      void xerbla_(const char *name, const int *argument, size_t n);
      static double ext_checked(double x)
      { int k = 5; if (x > 0.5) xerbla_(\"DGETRF  \", &k, 8); return 2*x; }");
  end checked;
  Real y;
equation
  y = checked(time);
end external_xerbla;
