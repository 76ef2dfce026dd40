// Connections of overconstrained connectors that close a loop among themselves say nothing new:
// they have no equation. Those that close a loop through branches keep their constraint.
// expect a.y(1) = 2 ± 1e-12
// expect b.y(1) = 2 ± 1e-12
// expect c.y(1) = 3 ± 1e-12
package RedundantOverconstrained
  record Orientation
    Real x[2];
    function equalityConstraint
      input Orientation p;
      input Orientation q;
      output Real residue[1];
    algorithm
      residue := {p.x[1]*q.x[2] - p.x[2]*q.x[1]};
    end equalityConstraint;
  end Orientation;

  connector Pin
    Real e;
    flow Real f;
    flow Real t;
    Orientation R;
  end Pin;

  model Source
    Pin p;
  equation
    Connections.root(p.R);
    p.R.x = {1, 0};
    p.e = 2;
  end Source;

  model Part
    Pin p;
    Real y = p.e*p.R.x[1];
  equation
    p.f = 1;
    p.t = 0;
  end Part;

  model Group
    Pin p;
    Part inside;
    Real y = inside.y;
  equation
    connect(p, inside.p);
  end Group;

  model M
    Source source;
    Part a;
    Group b;
    Part c(y = c.p.e*c.p.R.x[1] + 1);
  equation
    connect(source.p, a.p);
    connect(a.p, b.p);
    connect(b.p, source.p);
    connect(a.p, a.p);
    connect(a.p, c.p);
    connect(c.p, source.p);
  end M;
end RedundantOverconstrained;
// model RedundantOverconstrained.M
