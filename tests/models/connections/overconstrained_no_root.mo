// expect error F012 with have no root
package NoRoot
  record R
    Real x;
    function equalityConstraint
      input R a, b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end R;
  connector C
    R r;
  end C;
  model Part
    C a, b;
  equation
    Connections.branch(a.r, b.r);
    a.r.x = b.r.x;
  end Part;
  model Test
    Part p, q;
  equation
    connect(p.b, q.a);
    p.a.r.x = time;
  end Test;
end NoRoot;
// model NoRoot.Test
