// Two extends clauses make the same final redeclaration of a package that both bases have.
// expect y(0) = 4
package FinalInTwoBases
  package P
    constant Integer n = 1;
  end P;
  partial model A
    replaceable package M = P;
    Integer a = M.n;
  end A;
  partial model B
    replaceable package M = P;
    Integer b = M.n;
  end B;
  model C
    package Q
      extends P(n = 2);
    end Q;
    extends A(redeclare final package M = Q);
    extends B(redeclare final package M = Q);
    Real y = a + b;
  end C;
end FinalInTwoBases;
