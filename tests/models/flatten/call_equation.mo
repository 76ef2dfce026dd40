// A function without results, called as an equation and in an algorithm: it can only fail.
// expect error R007 with x is too large
package CallEquation
  function check
    input Real x;
    input Real limit[:];
  protected
    Real worst;
  algorithm
    worst := max(limit);
    assert(x < worst, "x is too large");
  end check;
  model Test
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    check(x, {0.25, 0.5});
  end Test;
end CallEquation;
// model CallEquation.Test
