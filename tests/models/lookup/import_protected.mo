// expect error I035 line 7 with cannot be imported
package P
protected
  constant Real y = 3;
end P;
model M
  import P.y;
  Real z = y;
end M;
