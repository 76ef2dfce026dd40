// A branch of a function may contain subscripts that do not exist, if it is not taken.
// expect y(1) = 3 ± 1e-12
// expect z(1) = 7 ± 1e-12
package branch_out_of_range
  type Kind = enumeration(one, two);
  function evaluate
    input Kind kind;
    input Real c[:, :];
    input Real x;
    output Real y;
  protected
    Real first[size(c, 1), size(c, 2)] = c;
  algorithm
    if kind == Kind.one then
      y := c[1, 1] + c[2, 1]*x;
    else
      y := 7*x;
    end if;
  end evaluate;
  model M
    Real y = evaluate(Kind.one, [1; 2], time);
    Real z = evaluate(Kind.two, fill(0.0, 0, 0), time);
  end M;
end branch_out_of_range;
