// A leading dot leads to the built-in function, past a function of the same name.
// expect x(1.0) = sin(0.5) ± 1e-12
// expect flat constant Real pi = 3.14159265358979
package Math
  function sin
    input Real u;
    output Real y;
  algorithm
    y := .sin(u);
  end sin;
  function asin
    input Real u;
    output Real y;
    external "builtin" y = asin(u);
  end asin;
  model M
    constant Real pi = 2*asin(1.0);
    Real x = sin(0.5);
  end M;
end Math;
