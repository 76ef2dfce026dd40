// expect error I033 line 13 with has no element 'y'
model A
  Real x = 1;
end A;
model B
  Real x = 2;
  Real y = 3;
end B;
model C
  replaceable model D = A;
  D d;
end C;
model E extends F(redeclare model D = A); end E;
model F
  extends C(redeclare replaceable model D = B constrainedby B);
end F;
model M
  E e;
end M;
