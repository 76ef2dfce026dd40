// expect flat x = 2.0
package P
  constant Real a = 2;
end P;
package Q
  package P
    constant Real a = 3;
  end P;
  model M
    Real x = .P.a;
  end M;
end Q;
// model Q.M
