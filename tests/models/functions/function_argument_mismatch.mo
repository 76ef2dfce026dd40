// expect error I103 line 17 with does not fit input 'f'
package P
  partial function Scalar
    input Real u;
    output Real y;
  end Scalar;
  function apply
    input Scalar f;
    output Real y;
  algorithm
    y := f(1);
  end apply;
  function wrong
    input Real v;
    output Real y = v;
  end wrong;
  model M Real x = apply(wrong); end M;
end P;
