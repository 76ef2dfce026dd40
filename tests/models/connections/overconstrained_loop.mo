// A loop of overconstrained connectors: one connection is broken, and its equality constraint taken
// instead.
// expect a1(1.0) = 1 ± 1e-9
// expect roots(0.0) = 1 ± 0
// expect flat = 'OverconstrainedLoop.Angle.equalityConstraint'(
package OverconstrainedLoop
  record Angle
    Real c, s;
    function equalityConstraint
      input Angle a, b;
      output Real residue[1];
    algorithm
      residue := {a.c*b.s - a.s*b.c};
    end equalityConstraint;
  end Angle;
  connector Frame
    Angle a;
    Real x;
    flow Real f, t;
  end Frame;
  model Ground
    Frame frame;
  equation
    Connections.root(frame.a);
    frame.a.c = 1;
    frame.a.s = 0;
    frame.x = 0;
  end Ground;
  model Bar
    Frame a, b;
    parameter Real phi = 0;
    parameter Real l = 1;
    Boolean from_a = Connections.rooted(a.a);
  equation
    Connections.branch(a.a, b.a);
    if Connections.rooted(a.a) then
      b.a.c = a.a.c*cos(phi) - a.a.s*sin(phi);
      b.a.s = a.a.s*cos(phi) + a.a.c*sin(phi);
    else
      a.a.c = b.a.c*cos(phi) + b.a.s*sin(phi);
      a.a.s = b.a.s*cos(phi) - b.a.c*sin(phi);
    end if;
    b.x = a.x + l;
    a.f + b.f = 0;
    a.t + b.t = 0;
  end Bar;
  model Free "the loop closes over x, which is free here"
    Frame a, b;
    Boolean root = Connections.isRoot(a.a);
  equation
    Connections.branch(a.a, b.a);
    Connections.potentialRoot(a.a);
    a.a = b.a;
    a.f + b.f = 0;
    a.t + b.t = 0;
    a.f = b.x - a.x + 1;
  end Free;
  model Turn "the angle that closes the loop"
    Frame a, b;
    Real phi(start = 0.1);
  equation
    Connections.branch(a.a, b.a);
    b.a.c = a.a.c*cos(phi) - a.a.s*sin(phi);
    b.a.s = a.a.s*cos(phi) + a.a.c*sin(phi);
    a.f = b.x - a.x;
    a.f + b.f = 0;
    a.t + b.t = 0;
    a.t = 0;
  end Turn;
  model Test
    Ground ground;
    Bar b1, b2(l = -1);
    Turn turn;
    Free free;
    Real a1 = b1.b.x;
    Integer roots = if free.root then 0 else if b1.from_a then 1 else 2;
  equation
    connect(ground.frame, b1.a);
    connect(b1.b, b2.a);
    connect(b2.b, turn.a);
    connect(turn.b, ground.frame);
    connect(free.a, b1.b);
  end Test;
end OverconstrainedLoop;
// model OverconstrainedLoop.Test
