// expect error I035 line 10 with imported twice
package P
  constant Real x = 1;
end P;
package Q
  constant Real x = 2;
end Q;
model M
  import P.x;
  import Q.x;
  Real y = x;
end M;
