// Derivative annotations of external functions, with noDerivative and of second order, serve index
// reduction.
model external_derivative
  function f
    input Real x;
    input Real k;
    output Real y;
  external "C" y = ext_f(x, k) annotation(
      Include = "static double ext_f(double x, double k) { return k*x*x*x; }");
    annotation(derivative(zeroDerivative = k) = f_d);
  end f;
  function f_d
    input Real x;
    input Real k;
    input Real x_d;
    output Real y_d;
  external "C" y_d = ext_f_d(x, k, x_d) annotation(
      Include = "static double ext_f_d(double x, double k, double d) { return 3*k*x*x*d; }");
    annotation(derivative(zeroDerivative = k, order = 2) = f_dd);
  end f_d;
  function f_dd
    input Real x;
    input Real k;
    input Real x_d;
    input Real x_dd;
    output Real y_dd;
  external "C" y_dd = ext_f_dd(x, k, x_d, x_dd) annotation(
      Include = "static double ext_f_dd(double x, double k, double d, double e) { return 6*k*x*d*d +
      3*k*x*x*e; }");
  end f_dd;
  parameter Real k = 2;
  Real s, v, a, F;
  Real x(start = 1, fixed = true);
  Real z, w;
equation
  s = f(time, k);
  v = der(s);
  a = der(v);
  F = 3*a;
  der(x) = -x;
  z = f(x, k) "z and x are both differentiated";
  w = der(z);
end external_derivative;
// expect v(1) = 6 ± 1e-9
// expect a(1) = 12 ± 1e-9
// expect F(0.5) = 18 ± 1e-9
// expect z(1) = 2*exp(-3) ± 1e-5
// expect w(1) = -6*exp(-3) ± 1e-5
