// expect error F003 line 20 with Connections.root
package BranchInWhen
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
  model Test
    C c;
  equation
    Connections.potentialRoot(c.r);
    c.r.x = 1;
    when time > 0.5 then
      Connections.root(c.r);
    end when;
  end Test;
end BranchInWhen;
// model BranchInWhen.Test
