// Sizes of fields come from local variables of a function, some of them declared later, and from
// the branch that a parameter chooses.
// expect a(1) = 22 ± 1e-12
// expect b(1) = 9 ± 1e-12
package SizesFromLocals
  record System
    Real A[:, :];
    Real b[:];
  end System;

  function sizes
    input Integer k;
    output Integer d[2];
  algorithm
    d := {k, 2*k};
  end sizes;

  function make
    input Integer k;
  protected
    Integer d[2] = sizes(k);
    Integer n = d[1];
    Integer m = d[2];
  public
    output System r(redeclare Real A[n, m], redeclare Real b[n]);
  protected
    Real h[n] = fill(3.0, n);
  algorithm
    r.A := fill(2.0, n, m);
    r.b := h;
  end make;

  model M
    parameter Boolean made = false;
    parameter System given = System(A = {{1, 2}}, b = {1, 2, 3});
    parameter System s = make(2);
    parameter System t = if made then make(2) else given;
    Real a = sum(s.A) + sum(s.b);
    Real b = sum(t.A) + sum(t.b);
  end M;
end SizesFromLocals;
// model SizesFromLocals.M
