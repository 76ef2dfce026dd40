// expect error I001 line 8 with component 'a' of class 'A' has no element 'vv'
model A
  Real v = 1;
end A;
model Unknown
  A a;
  Real x;
equation x = a.vv;
end Unknown;
