// Sizes that records leave open, through arrays of records, redeclarations and bindings between
// records (sections 10.1 and 12.6).
// model SizesThroughArrays.Top
// expect st.c[1].y(0) = 2 ± 1e-12
// expect st.c[2].z(0) = 7 ± 1e-12
// options --stop-time 1
package SizesThroughArrays
  record D
    parameter Real R = 1;
  end D;
  record R0
    parameter Real r0 = 3;
    parameter Real t[:, 2] = [0, 1; 1, 2];
  end R0;
  record R
    extends R0(r0 = 5 - sum(rc.R));
    parameter Integer n = 1;
    parameter D rc[n] = {D(R = 0)};
  end R;
  record S
    parameter Integer m;
    replaceable parameter R0 a;
    replaceable parameter R0 b;
    replaceable parameter R0 rs[m] = {if i == 1 then a else b for i in 1:m};
  end S;
  record SR
    extends S(redeclare R a, redeclare R b, redeclare R rs);
  end SR;
  partial model C0
    replaceable parameter R0 r;
  end C0;
  model Cell
    extends C0(redeclare R r);
    Real y = r.r0, z = r.t[size(r.t, 1), 2];
    Real k[r.n](each start = 0);
  equation
    der(k) = r.rc.R;
  end Cell;
  partial model Stack
    replaceable parameter S s;
    replaceable C0 c[s.m](r = s.rs);
  end Stack;
  model StackR
    extends Stack(redeclare SR s, redeclare Cell c(r = s.rs));
  end StackR;
  record E
    extends R(n = 2, rc = {D(1), D(2)});
  end E;
  model Top
    parameter E a(t = [0, 1; 1, 2; 2, 5]);
    parameter E b(t = [0, 1; 1, 2; 2, 7]);
    parameter SR s(m = 2, a = a, b = b);
    StackR st(s = s);
  end Top;
end SizesThroughArrays;
