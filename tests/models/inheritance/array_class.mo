// expect error I031 line 7 with array class
model A
  Real x = 1;
end A;
model A3 = A[3];
model B
  extends A3;
  Real y = 2;
end B;
model M
  B b;
end M;
