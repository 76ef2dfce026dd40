// An array of models without elements holds arrays of models and connectors of its own: none of
// them is there.
// (Modelica 3.6, section 10.1: a dimension may be zero.)
model EmptyArrayOfModels
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Inner
    Pin p[3];
    Real x = time;
  equation
    p.v = fill(x, 3);
  end Inner;
  model Outer
    Inner inner_[4];
    Pin q;
  equation
    q.v = inner_[1].x;
  end Outer;
  parameter Integer n = 0;
  Outer outer_[n];
  Real y = time + sum(outer_.q.v);
  // expect y(1.0) = 1
end EmptyArrayOfModels;
