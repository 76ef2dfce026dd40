package Tangent "Functions are differentiated statement by statement: loops, recursion, early "
  + "return, records, several results"
  record Pair
    Real a;
    Integer n;
    Real v[2];
  end Pair;
  function power "recursive"
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    if n == 0 then
      y := 1;
    else
      y := x*power(x, n - 1);
    end if;
  end power;
  function split
    input Real x;
    input Real c[:];
    output Real s = 0;
    output Pair p;
  protected
    Integer k = 0;
    Real q = 1;
  algorithm
    while k < size(c, 1) loop
      k := k + 1;
      s := s + c[k]*q;
      q := q*x;
    end while;
    p := Pair(s*x, k, {x, power(x, 3)});
  end split;
  function f
    input Real x;
    input Real c[:];
    output Real y;
  protected
    Pair p;
    Real s;
    Real w[size(c, 1)] = c*x;
  algorithm
    (s, p) := split(x, c);
    y := s + p.a + p.v[2] + sum(w[i]*i for i in 1:size(w, 1));
    if y > 100 then
      y := 100 + sin(y - 100);
      return;
    end if;
    (y, s) := swap(s, y);
  end f;
  function swap
    input Real a, b;
    output Real x = b, y = a;
  algorithm
  end swap;
  model Test "f(x, {1, 2, 3}) = 1 + 2x + 3x^2 + x + 2x^2 + 3x^3 + x^3 + 14x"
    Real x(start = 1, fixed = true);
    Real y = f(x, {1, 2, 3}) "constrains the state";
    Real z(start = 0.5) "by Newton, with the tangent";
  equation
    der(y) = -y;
    f(z, {1, 2, 3}) = 3 + time;
  end Test;
end Tangent;
// model Tangent.Test
// options --tolerance 1e-10
// expect y(1) = 27*exp(-1) ± 1e-6
// f(x, {1, 2, 3}) = 4x^3 + 5x^2 + 17x + 1 increases: one x where it is 27/e, one z where it is 4.
// Both by bisection of this cubic.
// expect x(1) = 0.4460544612 ± 1e-7
// expect z(1) = 0.1671539086 ± 1e-8
