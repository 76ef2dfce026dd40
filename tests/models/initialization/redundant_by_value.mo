model redundant_by_value "conditions that are equal up to a factor leave something open, "
  + "which start values close"
  // options --tolerance 1e-8
  // expect x(0) = 1 ± 1e-9
  // expect y(0) = 2 ± 1e-9
  // expect u(0) = 3 ± 1e-9
  // expect w(0) = 6 ± 1e-9
  // expect d(0) = 0 ± 1e-6
  // expect min m >= 0.5
  Real x(start=1), y(start=2);
  Real u(start=3, fixed=true), w(start=6, fixed=true);
  Real m(start=1.5), n(start=0.5) "amounts in a closed circuit, at rest: only their difference is "
    + "determined";
  Real d = m - n;
initial equation
  x + y = 3;
  2*x + 2*y = 6;
  w = 2*u;
  u + w = 9;
  der(m) = 0;
  der(n) = 0;
equation
  der(x) = -x;
  der(y) = -2*y;
  der(u) = -u;
  w = 2*u;
  der(m) = n^2 - m^2;
  der(n) = m^2 - n^2;
end redundant_by_value;
