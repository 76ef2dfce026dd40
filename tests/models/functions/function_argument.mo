// A function given to a function, through an intermediate one, with values for some of its inputs
// (section 12.4.2).
// expect a(1.0) = 1/3 ± 1e-6
// expect b(1.0) = 14/3 ± 1e-6
// expect c(1.0) = 2.5 ± 1e-9
// expect d(1.0) = 17/3 ± 1e-6
package P
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;

  function square
    extends Scalar;
  algorithm
    y := u*u;
  end square;

  function line
    extends Scalar;
    input Real slope = 1;
    input Real shift;
  algorithm
    y := slope*u*u + shift;
  end line;

  function integral "by Simpson's rule, recursively"
    input Scalar f;
    input Real a;
    input Real b;
    input Integer depth = 3;
    output Real s;
  protected
    Real m = (a + b)/2;
  algorithm
    if depth == 0 then
      s := (b - a)/6*(f(a) + 4*f(m) + f(b));
    else
      s := integral(f, a, m, depth - 1) + integral(f, m, b, depth - 1);
    end if;
  end integral;

  function twice
    input Scalar f;
    input Real b;
    output Real s;
  algorithm
    s := 2*integral(f=f, a=0, b=b);
  end twice;

  model M
    parameter Real p = 2;
    Real a = integral(square, 0, 1);
    Real b = integral(function line(slope=p*time, shift=4), 0, 1);
    constant Real cc = integral(function line(slope=1.5, shift=2), 0, 1);
    Real c = cc;
    Real d = twice(function line(shift=time/3*p), 1) + 8*twice(f=square, b=0.5) + 10/3 - 1/3;
  end M;
end P;
