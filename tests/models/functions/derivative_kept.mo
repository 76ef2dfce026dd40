// A plan is tried again if a preference for a state is not met (that of b). The derivative
// annotation of a function then still counts, although the first try has used the function's body.
// expect equations DerivativeKept.root_der(
// expect m(1) = 3*sqrt(2) ± 1e-6
// expect p(1) = 2 ± 1e-6
// options --tolerance 1e-9
model DerivativeKept
  record Root
    Real x;
    Real slope;
  end Root;

  function iterate "the root of p, by Newton's method"
    input Real p;
    output Root r;
  algorithm
    r.x := 1.5;
    for i in 1:6 loop
      r.x := (r.x + p/r.x)/2;
    end for;
    r.slope := 0.5/r.x;
  end iterate;

  function root_of
    input Real p;
    input Root r;
    output Real x;
  algorithm
    x := r.x;
    annotation(derivative(noDerivative=r)=root_der, Inline=false, LateInline=true);
  end root_of;

  function root_der
    input Real p;
    input Root r;
    input Real der_p;
    output Real der_x;
  algorithm
    der_x := r.slope*der_p;
  end root_der;

  function root
    input Real p;
    output Real x;
  algorithm
    x := root_of(p, iterate(p));
    annotation(Inline=true);
  end root;

  parameter Real b0 = 4;
  Real p(stateSelect=StateSelect.prefer, start=1, fixed=true);
  Real b(stateSelect=StateSelect.prefer) = b0;
  Real x = root(p);
  Real m = 3*x;
equation
  der(m) = 3*(sqrt(b/2) - 1);
end DerivativeKept;
