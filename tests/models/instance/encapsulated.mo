// expect error I001 line 6 with there is no variable 'a' here
package P
  constant Real a = 1;
  encapsulated model M
    Real x;
  equation x = a;
  end M;
end P;
// model P.M
