package PartialDerivative "function g = der(f, x, …), section 12.7.2"
  function f
    input Real x, t;
    input Real c[:];
    output Real y = x^2*sin(t);
    output Integer n = 3;
    output Real z[size(c, 1)] = c*x*t;
  algorithm
  end f;
  function fx = der(f, x);
  function fxt = der(f, x, t);
  function fxx = der(fx, x);
  function g
    input Real x;
    output Real y;
  algorithm
    y := 1;
    for i in 1:integer(3 + 0*x) loop
      y := y*x;
    end for;
  end g;
  function gx = der(g, x);
  model Test
    Real y = fx(2, time, {1, 2});
    Real z[2];
    Real yt = fxt(2, time, {1}), yxx = fxx(2, time, {1});
    Real w = gx(time);
    Real unused;
  equation
    (unused, z) = fx(5, time, {1, 2});
  end Test;
end PartialDerivative;
// model PartialDerivative.Test
// expect y(1) = 4*sin(1) ± 1e-12
// expect z[2](0.5) = 1 ± 1e-12
// expect yt(1) = 4*cos(1) ± 1e-12
// expect yxx(1) = 2*sin(1) ± 1e-12
// expect w(0.5) = 0.75 ± 1e-12
