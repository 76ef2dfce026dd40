// expect error I033 line 12 with has no element 'y'
model A
  Real x = 1;
end A;
model B
  Real x = 2;
  Real y = 3;
end B;
model C
  replaceable B b;
end C;
model M C c(redeclare A b); end M;
