package NoDerivative "An input under noDerivative need not have a derivative itself, and need not "
  + "move"
  record Aux
    Real y;
    Integer region;
  end Aux;
  function aux "not differentiable: it loops under a condition that moves"
    input Real p;
    output Aux a;
  protected
    Real q = 1;
  algorithm
    a.region := 0;
    while q < p loop
      q := 2*q;
      a.region := a.region + 1;
    end while;
    a.y := p*p;
  end aux;
  function props
    input Real p;
    input Aux a;
    output Real h;
  algorithm
    h := a.y;
    annotation(derivative(noDerivative = a) = props_der, Inline = false);
  end props;
  function props_der
    input Real p;
    input Aux a;
    input Real p_der;
    output Real h_der;
  algorithm
    h_der := 2*p*p_der;
  end props_der;
  function late "replaced by its body after index reduction; its annotation still gives the "
    + "derivative"
    extends props;
    annotation(derivative(noDerivative = a) = props_der, Inline = false, LateInline = true);
  end late;
  function h
    input Real p;
    output Real h = props(p, aux(p));
    annotation(Inline = true);
  end h;
  model Test
    Real p(start = 2, fixed = true);
    Real e = h(p) "constrains the state: its derivative is needed";
    Real root(start = 1), lateRoot(start = 1);
    Real d(start = 3, fixed = true);
  equation
    late(lateRoot, aux(lateRoot)) = 3 + time;
    der(d) = late(d, aux(d))*(-1);
    der(e) = -e;
    h(root) = 2 + time;
  end Test;
end NoDerivative;
// model NoDerivative.Test
// options --tolerance 1e-9
// expect e(1) = 4*exp(-1) ± 1e-6
// expect p(1) = 2*exp(-0.5) ± 1e-6
// expect root(1) = sqrt(3) ± 1e-7
// expect lateRoot(1) = 2 ± 1e-7
// expect d(1) = 0.75 ± 1e-6
