// The same with a constant of a package that is empty in one of its variants.
// expect y(1) = 3 ± 1e-12
// expect z(1) = 7 ± 1e-12
package branch_of_empty_constant
  package Medium
    constant Integer kind = 1;
    constant Real c[:, 1] = [1; 2];
    replaceable function evaluate
      input Real x;
      output Real y;
    protected
      Integer k = kind;
      Real coefficients[size(c, 1), 1] = c;
    algorithm
      if k == 1 then
        y := coefficients[1, 1] + coefficients[2, 1]*x;
      else
        y := 7*x;
      end if;
    end evaluate;
  end Medium;
  package Other
    extends Medium(kind = 2, c = fill(0.0, 0, 1));
  end Other;
  model M
    Real y = Medium.evaluate(time);
    Real z = Other.evaluate(time);
  end M;
end branch_of_empty_constant;
