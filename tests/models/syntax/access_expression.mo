// expect x(1) = 3 ± 1e-12
// expect y(1) = 7 ± 1e-12
// expect z(1) = 4 ± 1e-12
// expect w(1) = 2
model AccessExpression "Fields and elements of expressions in parentheses (appendix A.2.7)"
  record R
    Real a;
    Real b[2];
  end R;
  function f
    input Real u;
    output R r;
  algorithm
    r := R(3*u, {u, 4*u});
  end f;
  Real x = (f(time)).a;
  Real y = ({5, 6, 7})[end];
  Real z = ((f(time)).b)[2];
  Real w = ([1, 2; 3, 4])[1, 2];
end AccessExpression;
