// expect error I030 line 3 with not constant
package P
  Real x = 1;
  constant Real c = 2;
end P;
model M
  Real y = P.c;
end M;
