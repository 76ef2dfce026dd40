// u.start in expressions, as in figure 7 of the 1999 report; Modelica 3.6 does not have this.
package StartOfInput
  block Hysteresis
    parameter Real y0 = 1;
    input Real u;
    output Real y;
  protected
    Boolean high(start = u.start > -1, fixed = true);
  equation
    high = u >= 1 or pre(high) and u > -1;
    y = if high then y0 else -y0;
  end Hysteresis;
  model Test
    parameter Real low = -3;
    Hysteresis a(u(start = low)), b(u(start = -0.5)), c;
    Real x(start = 2*b.u.start + 5, fixed = true);
    Integer n(start = 4, fixed = true) = pre(n);
    Integer k(start = n.start + 1, fixed = true) = pre(k);
  equation
    a.u = 2*sin(time - 0.3);
    b.u = 2*sin(time - 0.3);
    c.u = 2*sin(time - 0.3);
    der(x) = 1;
    annotation(experiment(StopTime = 2));
  end Test;
end StartOfInput;
// model StartOfInput.Test
// expect a.y(0.1) = -1
// expect b.y(0.1) = 1
// expect c.y(0.1) = 1
// expect event 0.8235987756
// expect a.y(1.5) = 1
// expect x(1) = 5 ± 1e-6
// expect k(1) = 5
