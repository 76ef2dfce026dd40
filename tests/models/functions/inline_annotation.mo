// A function annotated with Inline is replaced by its value: the equations stay linear in their
// unknowns.
// expect flat y = 3.0*x - 2.0*z
// expect equations linear
// expect x(1) = 1 ± 1e-12
model InlineAnnotation
  record Pair
    Real a, b;
  end Pair;
  function first
    input Pair p;
    output Real y;
  algorithm
    y := p.a;
    annotation(Inline = true);
  end first;
  Real x, y, z;
equation
  y = first(Pair(3*x - 2*z, x));
  y + z = 2*time;
  x - z + y = time;
end InlineAnnotation;
