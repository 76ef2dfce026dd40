// expect error I033 line 10 with has no element 'y'
model A
  Real x = 1;
end A;
model B
  Real x = 2;
  Real y = 3;
end B;
model M
  replaceable A a constrainedby B;
end M;
