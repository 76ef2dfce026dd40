// expect error I038 line 13 with predefined types differ
// expect warning I040 line 10
record R
  Integer i = 1;
end R;
record R2
  Real i = 1;
end R2;
model A
  outer R T0;
end A;
model A2
  outer R2 T0;
end A2;
model B
  A a;
  A2 a2;
end B;
model M
  B b;
end M;
